/**
 * A world model: a stateful API as data. Types and operations say what a call does to the state, and each
 * statement carries a reason (`facts`). One predictor, one scenario and one backend serve every model.
 */
import { defineRecord } from '@stateeval/contracts'
import Type, { type Static } from 'typebox'

const choose = <const Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>(Type.Union(values.map((value) => Type.Literal(value))))
const closed = { additionalProperties: false } as const

const Name = Type.String({ minLength: 1, maxLength: 200 })
/** A member of an item, by its JSON pointer: `/metadata/created`. */
const Pointer = Type.String({ pattern: '^(/[^/]*)+$', maxLength: 400 })
const Path = Type.Array(Name, { maxItems: 8 })
const Status = Type.Integer({ minimum: 100, maximum: 599 })

/** The origin of a statement, and how many observations agree with it. */
export const WorldFact = Type.Object(
  {
    by: choose(['spec', 'rule', 'probe', 'model', 'person']),
    confirmed: Type.Integer({ minimum: 0 }),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    reason: Type.Optional(Type.String({ maxLength: 400 })),
  },
  closed,
)
export type WorldFact = Static<typeof WorldFact>

export const fieldTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'any'] as const
/** A field that a client may send. */
export const WorldField = Type.Object(
  {
    type: choose(fieldTypes),
    format: Type.Optional(Name),
    enum: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 500 })),
    /** The type of an array's items. */
    items: Type.Optional(choose(fieldTypes)),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    minLength: Type.Optional(Type.Integer({ minimum: 0 })),
    maxLength: Type.Optional(Type.Integer({ minimum: 0 })),
    required: Type.Optional(Type.Literal(true)),
    /** The value where none is sent. */
    default: Type.Optional(Type.Unknown()),
    /** Values that the API accepts; drawn before invented ones. */
    examples: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 20 })),
    /** The type whose identity is the value, and the fate of this field, or its item, when that item goes. */
    refers: Type.Optional(Name),
    /** `sweep`: each deletion takes the items whose reference leads nowhere, however old. */
    whenGone: Type.Optional(choose(['keep', 'clear', 'delete', 'sweep'])),
    /** How the value is kept; as it was sent by default. */
    stored: Type.Optional(choose(['as text', 'not', 'somehow'])),
  },
  closed,
)
export type WorldField = Static<typeof WorldField>

/** A field that the server fills. */
export const ServerField = Type.Object(
  {
    from: choose(['identity', 'clock', 'token', 'constant', 'copy', 'parent', 'anything']),
    value: Type.Optional(Type.Unknown()),
    /** The copied field. */
    field: Type.Optional(Name),
    /** The item above: 0 is the parent, 1 its parent. */
    up: Type.Optional(Type.Integer({ minimum: 0, maximum: 8 })),
    /** Also filled by updates. */
    onWrite: Type.Optional(Type.Literal(true)),
    /** Only filled where the client sends none. */
    ifAbsent: Type.Optional(Type.Literal(true)),
  },
  closed,
)
export type ServerField = Static<typeof ServerField>

export const WorldType = Type.Object(
  {
    noun: Name,
    plural: Name,
    /** The type of the item above, which the path names. */
    parent: Type.Optional(Name),
    /** Fields that arguments of the same names give, and that separate collections without items above. */
    place: Type.Optional(Type.Array(Name, { maxItems: 8 })),
    identity: Type.Object({ field: Name, by: choose(['server', 'client', 'either']) }, closed),
    fields: defineRecord(WorldField),
    server: Type.Optional(defineRecord(ServerField)),
    order: choose(['insertion', 'newest', 'touched', 'unknown']),
    /** Fields that no two items of a collection share; by their JSON values, or by their printed texts. */
    unique: Type.Optional(
      Type.Object({ fields: Type.Array(Name, { minItems: 1 }), equal: choose(['json', 'text']) }, closed),
    ),
    whenParentGone: Type.Optional(choose(['keep'])),
    /** Members that no answer is judged by. */
    masked: Type.Optional(Type.Array(Pointer, { maxItems: 200 })),
  },
  closed,
)
export type WorldType = Static<typeof WorldType>

/** A member of an answer beside the item or the list. */
export const AnswerMember = Type.Object(
  {
    is: choose(['constant', 'identity', 'count', 'shown', 'more', 'template', 'anything']),
    value: Type.Optional(Type.Unknown()),
  },
  closed,
)
export type AnswerMember = Static<typeof AnswerMember>

/** Conditions of a call, in the order in which the API checks them, each with the status of its refusal. */
export const CallRefusal = Type.Object(
  {
    unless: choose([
      'given',
      'object',
      'listed',
      'long',
      'name',
      'parents',
      'found',
      'free',
      'unique',
      'refers',
    ]),
    argument: Type.Optional(Name),
    /** Listed values and the least length; by default those of the field that the argument is named like. */
    values: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, maxItems: 500 })),
    length: Type.Optional(Type.Integer({ minimum: 1 })),
    status: Status,
  },
  closed,
)
export type CallRefusal = Static<typeof CallRefusal>

const HttpForm = Type.Object(
  {
    kind: Type.Literal('http'),
    method: choose(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: Type.String({ pattern: '^/', maxLength: 1000 }),
    query: Type.Optional(Type.Array(Name, { maxItems: 50 })),
    /** The argument that is sent, and its place in the body. */
    body: Type.Optional(
      Type.Object({ argument: Name, at: Type.Optional(Path), media: choose(['json', 'form']) }, closed),
    ),
  },
  closed,
)
const ToolForm = Type.Object({ kind: Type.Literal('tool'), tool: Name }, closed)

export const effects = [
  'create',
  'read',
  'list',
  'search',
  'update',
  'replace',
  'delete',
  'delete-many',
] as const
export type CallEffect = (typeof effects)[number]

export const WorldOperation = Type.Object(
  {
    effect: choose(effects),
    type: Name,
    about: Type.Optional(Type.String({ maxLength: 300 })),
    request: Type.Union([HttpForm, ToolForm]),
    /** Arguments that name the items above, the outermost first. */
    parents: Type.Optional(Type.Array(Name, { maxItems: 8 })),
    /** The argument that names the item. */
    target: Type.Optional(Name),
    /** The argument with the fields of the item, and where in the item they go. */
    content: Type.Optional(Type.Object({ argument: Name, at: Type.Optional(Path) }, closed)),
    /** Arguments that keep only items whose field of the given name equals them. */
    filters: Type.Optional(defineRecord(Name)),
    search: Type.Optional(
      Type.Union([
        Type.Object({ by: Type.Literal('field'), field: Name, value: Name }, closed),
        Type.Object({ by: Type.Literal('filter'), filter: Name, status: Status }, closed),
      ]),
    ),
    refuses: Type.Optional(Type.Array(CallRefusal, { maxItems: 50 })),
    status: Status,
    answer: Type.Object(
      {
        is: choose(['none', 'item', 'list']),
        at: Type.Optional(Path),
        only: Type.Optional(Type.Array(Name, { maxItems: 200 })),
        omits: Type.Optional(Type.Array(Name, { maxItems: 200 })),
        /** Members of an answer that tells of an item without showing it, such as a deleted one. */
        told: Type.Optional(defineRecord(AnswerMember)),
        beside: Type.Optional(defineRecord(AnswerMember)),
      },
      closed,
    ),
    /** How an update joins old and new fields; `shallow` by default, a replacement's `replace`. */
    merge: Type.Optional(choose(['shallow', 'deep', 'replace'])),
    /** Fields that an update may set; all by default. */
    writes: Type.Optional(Type.Array(Name, { maxItems: 500 })),
    /** What a creation does if the item exists; it fails by default. */
    existing: Type.Optional(choose(['return', 'replace'])),
    existingStatus: Type.Optional(Status),
    /** The status with which a replacement creates a missing item. */
    createsStatus: Type.Optional(Status),
    /** An update that changes nothing leaves clocks and order. */
    ignoresSame: Type.Optional(Type.Literal(true)),
    /** Items of one page. */
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  },
  closed,
)
export type WorldOperation = Static<typeof WorldOperation>

const worldSchema = 'stateeval-world/1'
export const WorldModel = Type.Object(
  {
    schema: Type.Literal(worldSchema),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    /** The part of the path that all operations share. */
    base: Type.Optional(Type.String({ pattern: '^(/.*[^/])?$', maxLength: 400 })),
    types: defineRecord(WorldType, { maxProperties: 1000 }),
    operations: defineRecord(WorldOperation, { maxProperties: 5000 }),
    /** Reasons by JSON pointer into the model; one holds for everything below it that has no own. */
    facts: defineRecord(WorldFact, { maxProperties: 100_000 }),
  },
  closed,
)
export type WorldModel = Static<typeof WorldModel>

/** Pairs of an operation's id and itself. */
export const listOperations = (model: WorldModel) => Object.entries(model.operations)
