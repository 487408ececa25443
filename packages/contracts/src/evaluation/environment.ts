/**
 * Episodes over HTTP: a case as an environment. The client that sends the steps replaces the model under
 * test. The host provides everything else that an episode needs, as in an evaluation.
 */
import Type, { type Static } from 'typebox'
import { defineRecord } from '../basics/record.ts'
import { Message } from '../episode.ts'
import { maxToolCalls, ModelTool, ModelToolCall } from '../model.ts'
import { Score } from '../scoring.ts'
import { EvaluationRequest } from './evaluation.ts'
import { EvaluationOptions } from './options.ts'
import { StreamId, StreamIndex } from './stream.ts'

const closedObject = { additionalProperties: false } as const

export const LeaseSeconds = Type.Integer({
  minimum: 10,
  maximum: 86_400,
  default: 900,
  description: 'How long the episode stays open without a step. Each step and each renewal restarts it',
})

const { samples: _, settings: _settings, seed, ...options } = Type.Partial(EvaluationOptions).properties
const { benchmark, judge, user, embeddings, responses, documentation } = EvaluationRequest.properties

/** Opens an episode: a case of a benchmark or a task of a stream, and its options. */
export const EpisodeRequest = Type.Object(
  {
    benchmark: Type.Optional(benchmark),
    case: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Id of a case. Default: `seed` draws one' }),
    ),
    stream: Type.Optional({ ...StreamId, description: 'Use instead of `benchmark`, together with `index`' }),
    index: Type.Optional(StreamIndex),
    seed: Type.Optional(
      Type.Union(seed.anyOf, {
        description: 'Draws the case if none is named, and the examples of few-shot prompts. Default: 1',
      }),
    ),
    leaseSeconds: Type.Optional(LeaseSeconds),
    judge,
    user,
    embeddings,
    responses,
    ...options,
    documentation,
  },
  closedObject,
)
export type EpisodeRequest = Static<typeof EpisodeRequest>

const tokens = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))
/** The agent's reply at its turn. */
export const AgentReply = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: 2_000_000 })),
    toolCalls: Type.Optional(
      Type.Array(ModelToolCall, {
        maxItems: maxToolCalls,
        description: 'arguments is the JSON text of an object, as the model wrote it',
      }),
    ),
    finish: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Why the model ended the reply. Default: tool_calls if it calls tools, otherwise stop',
      }),
    ),
    usage: Type.Optional(
      Type.Object(
        { promptTokens: tokens, completionTokens: tokens },
        { ...closedObject, description: 'Counted against `limits.tokens`' },
      ),
    ),
    ms: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 604_800_000,
        description: 'Milliseconds that the model took; they count against `limits.seconds`',
      }),
    ),
  },
  closedObject,
)
export type AgentReply = Static<typeof AgentReply>

export const EpisodeStep = Type.Object(
  {
    step: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Number of this reply, from 1. Sending the same reply again returns the same turn and changes nothing; a different reply with the same number is rejected with 409',
    }),
    reply: AgentReply,
  },
  closedObject,
)
export type EpisodeStep = Static<typeof EpisodeStep>

/** The observation for the agent: the next question, or how the episode ended. */
export const EpisodeTurn = Type.Object(
  {
    episode: Type.String(),
    step: Type.Integer({ minimum: 0, description: 'Number of earlier replies' }),
    done: Type.Boolean(),
    conversation: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The conversation that the messages belong to; a case may have one for each input',
      }),
    ),
    messages: Type.Array(Message, {
      description:
        'The messages since the agent’s last reply: instructions, results of its tool calls, words of a user. Empty if the episode is done',
    }),
    tools: Type.Optional(Type.Array(ModelTool, { description: 'The available tools; absent if unchanged' })),
    toolChoice: Type.Optional(
      Type.Union([
        Type.Literal('auto'),
        Type.Literal('none'),
        Type.Literal('required'),
        Type.Object({ name: Type.String() }, closedObject),
      ]),
    ),
    schema: Type.Optional(
      defineRecord(Type.Unknown(), { description: 'JSON Schema that the reply must satisfy' }),
    ),
    parameters: Type.Optional(
      defineRecord(Type.Unknown(), { description: 'Generation parameters that the benchmark sends' }),
    ),
    reward: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        description:
          'At the end: the score’s reward, or 1 for a pass and 0 for a failure if it has none. null: not scored',
      }),
    ),
    score: Type.Optional(Score),
    notScored: Type.Optional(
      Type.String({
        description: 'Why there is no score: a fault of the host, or a part without a player',
      }),
    ),
  },
  closedObject,
)
export type EpisodeTurn = Static<typeof EpisodeTurn>

export const EpisodeStatus = Type.Union(
  [Type.Literal('open'), Type.Literal('expired'), Type.Literal('done')],
  { description: 'expired: the lease has ended. A renewal continues the episode' },
)

/** An episode as a resource. */
export const EpisodeResource = Type.Object(
  {
    id: Type.String(),
    status: EpisodeStatus,
    benchmark: Type.Optional(
      Type.String({ description: 'The benchmark, if the episode was opened with one' }),
    ),
    case: Type.String(),
    stream: Type.Optional(Type.String({ description: 'The stream, if the episode was opened with one' })),
    index: Type.Optional(StreamIndex),
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'End of the lease of an open episode' }),
    ),
    turn: Type.Optional(EpisodeTurn),
    links: defineRecord(Type.String()),
  },
  { ...closedObject, description: '`turn` is the newest turn; absent until the first is ready' },
)
export type EpisodeResource = Static<typeof EpisodeResource>

export const RenewEpisode = Type.Object(
  {
    leaseSeconds: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 86_400,
        description: 'Length of the lease from now on. Default: the length given when the episode was opened',
      }),
    ),
  },
  { ...closedObject, default: {} },
)
