/** A request in the world axios-capture: axios’s configuration after its own transformations. */
import Type, { type Static } from 'typebox'
import type { JsonValue } from './basics/json.ts'
import { Observation, WorldState } from './execution.ts'

/** A file that a program uploads in a form, with the facts that distinguish it. */
export interface CapturedFile {
  filename?: string
  /** Its media type, where it has one. */
  type?: string
  size: number
  sha256: string
}
/** One part of a form; the value of a file is only a rendering. */
export type CapturedPart = [name: string, value: string] | [name: string, value: string, file: CapturedFile]

/** Undefined members are missing; the rest is converted to JSON, as in a recording of the configuration. */
export const CapturedRequest = Type.Object({
  method: Type.String(),
  url: Type.Optional(
    Type.String({ description: 'As the program gave it: not joined with baseURL, not decoded' }),
  ),
  baseURL: Type.Optional(Type.String()),
  uri: Type.Optional(
    Type.String({
      description:
        'The full address: with baseURL and params, as axios writes them. Absent where axios cannot determine it',
    }),
  ),
  headers: Type.Unsafe<Record<string, JsonValue>>(Type.Object({})),
  params: Type.Optional(Type.Unsafe<JsonValue>({})),
  serialized: Type.Optional(
    Type.Literal(true, {
      description: 'The program has its own paramsSerializer, whose text is in uri',
    }),
  ),
  data: Type.Optional(
    Type.Unsafe<JsonValue>({
      description:
        'The body after transformRequest: mostly a text; for a form, its parts: [name, value] or [name, value, file]',
    }),
  ),
  dataType: Type.Optional(
    Type.String({
      description:
        'The kind of the body: string, object, FormData, form-data (the package with which axios makes forms), ArrayBuffer',
    }),
  ),
  auth: Type.Optional(Type.Unsafe<JsonValue>({})),
})
export type CapturedRequest = Static<typeof CapturedRequest>

/** The run of a program in a world that captures requests. */
export const CapturedObservation = Type.Object(
  {
    ...Observation.properties,
    world: Type.Union([
      Type.Object(
        {
          ...WorldState.properties,
          state: Type.Object({ requests: Type.Optional(Type.Array(CapturedRequest)) }),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
  },
  { additionalProperties: false },
)
export type CapturedObservation = Static<typeof CapturedObservation>
