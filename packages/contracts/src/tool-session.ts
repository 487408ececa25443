/**
 * Tool sessions: a world that stays open over the turns of a dialogue. A session is its log of calls: the
 * same seed and log give the same reply bytes, so any replica can continue it. Evaluation uses jobs
 * (`subjects.session`), other clients HTTP.
 */
import Type, { type Static } from 'typebox'
import type { ToolResult } from './episode.ts'
import {
  type ExecutionEnding,
  type ExecutionResult,
  ExecutionInput,
  ExecutionLimits,
  maxWorldCalls,
  WorldSeed,
} from './execution.ts'
import { ModelTool, ModelToolCall } from './model.ts'
import { defineRecord } from './basics/record.ts'

const closedObject = { additionalProperties: false } as const

export const ToolSessionLimits = Type.Partial(
  Type.Pick(ExecutionLimits, ['wallMs', 'requests', 'resultKiB']),
  {
    ...closedObject,
    description:
      'wallMs: time of one call; requests: calls of the session; resultKiB: arguments and reply of one call. Missing limits have the service’s defaults',
  },
)

/** The request that opens a session. */
export const OpenToolSession = Type.Object(
  {
    world: Type.String({ description: 'A world with tools, such as session-service; see /v1/worlds' }),
    input: ExecutionInput,
    limits: Type.Optional(ToolSessionLimits),
    seed: Type.Optional(WorldSeed),
  },
  closedObject,
)
export type OpenToolSession = Static<typeof OpenToolSession>

/** The next calls. They run in the order listed, one after the other. */
export const CallToolSession = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      maximum: maxWorldCalls,
      description:
        'Position of the first of these calls in the session’s log, from 0. Calls already in the log are answered from it; a different call at the same position is rejected with 409',
    }),
    calls: Type.Array(ModelToolCall, {
      minItems: 1,
      maxItems: 1000,
      description: 'arguments is the JSON text of an object, as a model wrote it',
    }),
  },
  closedObject,
)
export type CallToolSession = Static<typeof CallToolSession>

/** The request that ends a session. */
export const CloseToolSession = Type.Object(
  {
    result: Type.Optional(
      Type.Unknown({
        description: 'Becomes RESULT in the observation; without it, the observation has no RESULT',
      }),
    ),
  },
  closedObject,
)
export type CloseToolSession = Static<typeof CloseToolSession>

/** A tool's answer: bytes of the world, the same for the same seed and log. */
export const ToolReply = Type.Object(
  {
    content: Type.String({ description: 'The API’s response: JSON text, or an error message' }),
    error: Type.Optional(Type.Literal(true, { description: 'The API refused the call' })),
  },
  closedObject,
)
export type ToolReply = Static<typeof ToolReply>

/** One entry of a session's log. */
export const LoggedToolCall = Type.Object(
  { index: Type.Integer({ minimum: 0 }), name: Type.String(), arguments: Type.String(), reply: ToolReply },
  closedObject,
)
export type LoggedToolCall = Static<typeof LoggedToolCall>

const toolSessionIdPattern = '^ses_[0-9a-z]{1,64}$'
const SessionId = Type.String({
  pattern: toolSessionIdPattern,
  description: 'Chosen by the caller; the same id is the same session',
})
const defineKind = <const K extends string>(name: K) =>
  Type.Object({ kind: Type.Literal(name), session: SessionId })

/** The payload of a job on `subjects.session`. Repeating one changes nothing and gives the same answer. */
export const ToolSessionJob = Type.Union([
  Type.Object({ ...defineKind('open').properties, ...OpenToolSession.properties }, closedObject),
  Type.Object({ ...defineKind('call').properties, ...CallToolSession.properties }, closedObject),
  Type.Object({ ...defineKind('close').properties, ...CloseToolSession.properties }, closedObject),
])
export type ToolSessionJob = Static<typeof ToolSessionJob>

/**
 * The result of such a job. `ended`: the session has ended by itself, by a timeout or by an internal
 * failure; closing it still observes.
 */
export type ToolSessionAnswer =
  | { kind: 'opened'; variables: Record<string, unknown>; tools: readonly ModelTool[]; seed: string }
  | { kind: 'called'; results: ToolResult[] }
  | { kind: 'ended'; ending: ExecutionEnding }
  | { kind: 'closed'; result: ExecutionResult }

/** A session as a resource. */
export const ToolSession = Type.Object(
  {
    id: Type.String(),
    world: Type.String(),
    status: Type.Union([Type.Literal('open'), Type.Literal('closed'), Type.Literal('ended')], {
      description: 'ended: the session ended without a request, after a timed-out call or a service fault',
    }),
    calls: Type.Integer({ minimum: 0, description: 'Calls in the log: the index of the next one' }),
    createdAt: Type.String({ format: 'date-time' }),
    error: Type.Optional(Type.String({ description: 'Why the session ended without a request' })),
    seed: WorldSeed,
    variables: defineRecord(Type.Unknown(), { description: 'Variables of the input, by name' }),
    tools: Type.Array(ModelTool, { description: 'The available tools' }),
    links: defineRecord(Type.String()),
  },
  closedObject,
)
export type ToolSession = Static<typeof ToolSession>
