/**
 * An OpenAPI specification as far as requests are judged and documented by it. It is stored beside the cases,
 * by its hash.
 */
import { defineRecord } from '@stateeval/contracts'
import Type, { type Static } from 'typebox'

const closedObject = { additionalProperties: false } as const
const Name = Type.String({ maxLength: 1000 })

/**
 * The type of a value, as readers see it: string, integer, number, boolean, object, array, array of string …
 */
const Typed = {
  type: Type.Optional(Type.String()),
  required: Type.Optional(Type.Literal(true)),
  about: Type.Optional(Type.String()),
}
/** How it is written, where it isn't as usual in its place (written.ts). */
const Written = {
  style: Type.Optional(Type.String({ description: 'Where it is not the usual one of its place' })),
  explode: Type.Optional(
    Type.Boolean({ description: 'Of lists and objects: one pair for each member, or one text for all' }),
  ),
  json: Type.Optional(Type.Literal(true, { description: 'It is written as JSON' })),
  properties: Type.Optional(
    Type.Array(Name, { description: 'Of an object that is exploded: names that stand for themselves' }),
  ),
  open: Type.Optional(
    Type.Literal(true, { description: 'Of such an object: it takes all other names as well' }),
  ),
}
export const SpecifiedParameter = Type.Object(
  { name: Name, in: Type.String({ description: 'path, query, header or cookie' }), ...Typed, ...Written },
  closedObject,
)
export type SpecifiedParameter = Static<typeof SpecifiedParameter>
export const BodyProperty = Type.Object(
  {
    name: Name,
    ...Typed,
    ...Written,
    file: Type.Optional(Type.Literal(true, { description: 'It is a file, or a list of files' })),
  },
  closedObject,
)
export type BodyProperty = Static<typeof BodyProperty>

const BodyForm = {
  media: Type.String(),
  properties: Type.Array(BodyProperty),
  /** True if it may have other properties than these. */
  open: Type.Optional(Type.Literal(true)),
  patterns: Type.Optional(Type.Array(Type.String(), { description: 'Names of other properties match one' })),
}

export const SpecifiedOperation = Type.Object(
  {
    summary: Type.Optional(Type.String()),
    servers: Type.Optional(
      Type.Array(Type.String(), { description: 'Where it is, if not at the servers of the specification' }),
    ),
    /** Parameters of the path, then its own. */
    parameters: Type.Array(SpecifiedParameter),
    body: Type.Optional(
      Type.Object(
        {
          ...BodyForm,
          others: Type.Optional(
            Type.Array(Type.Object(BodyForm, closedObject), { description: 'In other media types' }),
          ),
        },
        closedObject,
      ),
    ),
  },
  closedObject,
)
/** A body in one media type. */
export type BodyForm = Omit<NonNullable<SpecifiedOperation['body']>, 'others'>
export type SpecifiedOperation = Static<typeof SpecifiedOperation>

export const ApiDescription = Type.Object(
  {
    schema: Type.Literal(1),
    id: Type.String({ minLength: 1, maxLength: 100 }),
    title: Type.String(),
    server: Type.String({
      description: 'The URL of the server that tasks use, without a slash at its end',
    }),
    servers: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Other servers that are as good; {name} stands for any value of a variable',
      }),
    ),
    /** Arguments that authenticate. */
    security: Type.Array(Type.Object({ in: Type.String(), name: Name }, closedObject)),
    paths: Type.Array(
      Type.Object({ template: Type.String(), operations: defineRecord(SpecifiedOperation) }, closedObject),
    ),
  },
  closedObject,
)
export type ApiDescription = Static<typeof ApiDescription>

/** Places of a request's arguments. */
export const locations = ['headers', 'params', 'data', 'path_params'] as const
export type RequestLocation = (typeof locations)[number]
/** The names of these locations in a specification; bodies have none. */
export const specified = { headers: 'header', params: 'query', path_params: 'path' } as const
