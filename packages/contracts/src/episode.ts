/**
 * Episodes: the messages between a benchmark and the host that leads its conversations. An episode is a
 * pure state machine that states its need and continues with the answer. The host records transcripts, runs
 * and consultations. All messages are JSON.
 */
import Type, { type Static } from 'typebox'
import { BenchmarkCase } from './case.ts'
import type { DialogueLimits } from './dialogue-limits.ts'
import {
  type ExecutionEnding,
  ExecutionResult,
  type ExecutionRequest,
  type ExecutionInput,
  type Language,
  type ExecutionLimits,
} from './execution.ts'
import type { JsonValue } from './basics/json.ts'
import { defineRecord } from './basics/record.ts'
import type { UnscoredKind } from './unscored.ts'
import { maxToolCalls, type ModelTool, ModelToolCall, type Usage, VendorMembers } from './model.ts'

const closedObject = { additionalProperties: false } as const
const content = Type.String({ maxLength: 2_000_000 })

/** One message of a conversation. A tool's message answers one call of the assistant's message before it. */
export const Message = Type.Union([
  Type.Object({ role: Type.Union([Type.Literal('system'), Type.Literal('user')]), content }, closedObject),
  Type.Object(
    {
      role: Type.Literal('assistant'),
      content,
      toolCalls: Type.Optional(Type.Array(ModelToolCall, { maxItems: maxToolCalls })),
      vendor: Type.Optional(VendorMembers),
      finish: Type.Optional(
        Type.String({
          description: 'Why the model ended the reply, as its endpoint reports: stop, length, tool_calls',
        }),
      ),
    },
    closedObject,
  ),
  Type.Object({ role: Type.Literal('tool'), content, toolCallId: Type.String() }, closedObject),
])
export type Message = Static<typeof Message>

/** Parties of a dialogue: the model under test, or a simulated user. */
export const Speaker = Type.Union([Type.Literal('model'), Type.Literal('user')])
export type Speaker = Static<typeof Speaker>
/** Another model that judges, by the name that the benchmark gives its part. */
export type JudgePart = `judge:${string}`
/** A live API, by its configured name. */
export type LivePart = `http:${string}`

/** One dialogue from its speaker's view. */
export const Transcript = Type.Object(
  {
    role: Speaker,
    input: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The input of the case that the transcript covers, if each input has its own',
      }),
    ),
    tools: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String(),
            description: Type.Optional(Type.String()),
            parameters: Type.Optional(defineRecord(Type.Unknown())),
          },
          closedObject,
        ),
        { maxItems: 1000, description: 'The functions that may be called, in their latest form' },
      ),
    ),
    messages: Type.Array(Message, { maxItems: 10_000 }),
  },
  closedObject,
)
export type Transcript = Static<typeof Transcript>

/** A call of a list, as written in the answer: JSON would lose 1.0 and the order of keys. */
export const ListedCall = Type.Object(
  {
    name: Type.String(),
    label: Type.Optional(Type.String()),
    arguments: Type.String({ description: 'The text of the answer' }),
  },
  closedObject,
)
export type ListedCall = Static<typeof ListedCall>

/**
 * The program or list of calls that a policy finds in an answer; null if the benchmark has only one way to
 * read it.
 */
export const AnswerReading = Type.Object(
  {
    policy: Type.Union([Type.String(), Type.Null()]),
    code: Type.Optional(Type.String()),
    calls: Type.Optional(Type.Array(ListedCall, { maxItems: 10_000 })),
    none: Type.Optional(Type.String({ description: 'The reason that no code or call ran' })),
    run: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Position of its run among the runs; null if nothing ran',
    }),
  },
  closedObject,
)
export type AnswerReading = Static<typeof AnswerReading>

/** An episode's statement about its candidate: an answer with its attempts, or a dialogue. */
export const EpisodeStatement = Type.Union([
  Type.Object(
    {
      kind: Type.Union([Type.Literal('program'), Type.Literal('calls')]),
      attempts: Type.Array(
        Type.Object(
          {
            message: Type.Integer({
              minimum: 0,
              description: 'Position of the answer among the messages of the first transcript',
            }),
            readings: Type.Array(AnswerReading, { minItems: 1, maxItems: 16 }),
          },
          closedObject,
        ),
        { maxItems: 16, description: 'Oldest first; the last one counts' },
      ),
    },
    closedObject,
  ),
  Type.Object(
    {
      kind: Type.Literal('dialogue'),
      policy: Type.Union([Type.String(), Type.Null()]),
      inputs: Type.Array(
        Type.Object(
          {
            transcript: Type.Integer({ minimum: 0 }),
            run: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
          },
          closedObject,
        ),
        {
          maxItems: 64,
          description: 'For each input, in order: its transcript, and the observation of its world',
        },
      ),
      decisions: Type.Array(Type.Unknown(), {
        maxItems: 10_000,
        description: 'Decisions of the benchmark during the episode, in its own form',
      }),
    },
    closedObject,
  ),
])
export type EpisodeStatement = Static<typeof EpisodeStatement>

/** A question outside of dialogues, and its answer. */
export interface Consultation {
  need: Extract<HostNeed, { kind: 'consult' | 'similar' | 'http' }>
  event: EpisodeEvent
}
export const Consultation = Type.Unsafe<Consultation>(
  Type.Object({ need: Type.Unknown(), event: Type.Unknown() }, closedObject),
)

/** A model's answer to one test case. Everything except `said` is the host's record. */
export const Candidate = Type.Object(
  {
    said: EpisodeStatement,
    transcripts: Type.Array(Transcript, { maxItems: 128 }),
    runs: Type.Array(ExecutionResult, { maxItems: 1000 }),
    consultations: Type.Array(Consultation, { maxItems: 10_000 }),
  },
  closedObject,
)
export type Candidate = Static<typeof Candidate>

/** How models are prompted; each benchmark states which of these it supports. */
export type Prompting = 'direct' | 'cot' | 'reflect' | 'few-shot'

/** How much API documentation a model reads: all, the parts that the task needs among others, or none. */
export type DocumentationMode = 'full' | 'relevant' | 'none'

/** How a case is answered: with a program, or with tool calls step by step. */
export type AnswerMode = 'program' | 'tools'

export interface EpisodeOptions {
  /** One of the benchmark's policies, where it drives the dialogue. */
  policy?: string
  /** Default: program, where the benchmark knows several. */
  mode?: AnswerMode
  /** Absent where the benchmark has no programs. */
  language?: Language
  prompting: Prompting
  /** Default: full. */
  documentation?: DocumentationMode
  /** Under `reflect`: how often a model is shown its error and asked again. Default: 2. */
  rounds?: number
  /**
   * Under `few-shot`: the solved cases that it is shown, drawn by the host from those that
   * `Benchmark.mayShow` lets it.
   */
  examples?: readonly BenchmarkCase[]
  /** Which of the benchmark's setups; its first by default. */
  setup?: string
  /** For which kind of model the prompt is laid out; the benchmark's first by default. */
  layout?: string
  /**
   * In place of the case's own; such an episode is never scored. Tells mutants that are equivalent to their
   * reference.
   */
  inputs?: readonly ExecutionInput[]
  /** Some of the case's own inputs, by their place. */
  only?: readonly number[]
  /** Limits of a dialogue; the benchmark's own where one is absent. */
  limits?: DialogueLimits
  /** The further parts that somebody plays here, such as `http:HOST`. */
  parts?: readonly string[]
}

/** Limits of a model's answer. */
export interface AnswerLimits {
  toolChoice?: 'auto' | 'none' | 'required' | { name: string }
  /** A JSON Schema that the answer must satisfy. */
  schema?: Readonly<Record<string, JsonValue>>
  /** Sent with the request; an endpoint's own parameters of the same names win. */
  parameters?: Readonly<Record<string, JsonValue>>
}

export interface ToolResult {
  id: string
  content: string
  error?: true
}

const refusalMark = 'Error: '
/** The text that a model reads as a tool's answer: unchanged, or marked if the tool refused the call. */
export const formatToolAnswer = ({ content, error }: Pick<ToolResult, 'content' | 'error'>): string =>
  error ? `${refusalMark}${content}` : content
/** Why a tool refused a call, from the text that the model reads; null if it did not. */
export const findRefusal = (content: string): string | null =>
  content.startsWith(refusalMark) ? content.slice(refusalMark.length) : null

/** An episode's request to the host. */
export type HostNeed =
  /**
   * A speaker's next message. `append` goes to the transcript first; without `tools`, those of before stay.
   */
  | ({
      kind: 'reply'
      role: Speaker
      transcript: number
      input?: number
      append: Message[]
      tools?: readonly ModelTool[]
    } & AnswerLimits)
  /** One question to a judge, outside of any dialogue. */
  | ({ kind: 'consult'; role: JudgePart; messages: Message[]; attempt?: number } & AnswerLimits)
  /** Cosine similarities of every text on the left with every text on the right; vectors never travel. */
  | { kind: 'similar'; left: string[]; right: string[] }
  /** One recorded request to a configured live API. */
  | { kind: 'http'; request: LiveRequest; attempt?: number; afterMs?: number }
  | { kind: 'open'; session: number; world: string; input: ExecutionInput }
  /** Calls are executed in the order listed, parallel ones too. */
  | { kind: 'call'; session: number; calls: ModelToolCall[] }
  /** Ends a session and observes its world; handles in `result` are resolved. */
  | { kind: 'close'; session: number; result?: JsonValue }
  | { kind: 'execute'; request: ProgramRequest | CallsRequest }

/** A request to a live API, by the name of its configured base URL and key. */
export interface LiveRequest {
  api: string
  method: 'GET' | 'POST'
  path: string
  query?: Readonly<Record<string, string>>
  body?: JsonValue
}

interface RunRequest {
  world: string
  inputs: readonly ExecutionInput[]
  limits?: Partial<ExecutionLimits>
}
export interface ProgramRequest extends RunRequest {
  kind: 'code'
  language: Language
  code: string
}
/**
 * A list of calls. References to earlier results are resolved; arguments are passed by name or by position.
 */
export interface CallsRequest extends RunRequest {
  kind: 'calls'
  calls: readonly ListedCall[]
  binding: 'name' | 'position'
}

/** A speaker's message. */
export interface SpeakerReply {
  text: string
  toolCalls?: readonly ModelToolCall[]
  /** Members to return to the endpoint with this message. */
  vendor?: VendorMembers
  /** Why it ended, as the endpoint said: stop, length, tool_calls. */
  finish: string
  usage?: Usage
  /**
   * Milliseconds that the endpoint took, as they were measured when the answer was given: the same for
   * whoever takes it later, such as from a recording. Absent where nobody measured.
   */
  ms?: number
}

/**
 * Why an endpoint refuses one prompt and takes others: it does not fit the context, or a moderation rejects
 * its content.
 */
export const PromptRefusal = Type.Enum(['context', 'moderation'] as const, { type: 'string' })
export type PromptRefusal = Static<typeof PromptRefusal>

/**
 * Why a need was not met. `failed`: retries failed, a later try may succeed. `refused`: no retry would
 * help. `exhausted`: this answerer has no further reply. `not_configured`: no model is named for this part.
 * `not_recorded`: recorded responses play this part, and none of them answers. `infrastructure`: a run, a
 * session or a comparison failed on this side.
 */
export interface UnmetNeed {
  kind: 'unavailable'
  reason:
    | 'not_configured'
    | 'not_recorded'
    | PromptRefusal
    | 'refused'
    | 'failed'
    | 'exhausted'
    | 'infrastructure'
  detail: string
}

/** The host's answer. */
export type EpisodeEvent =
  | ({ kind: 'replied' } & SpeakerReply)
  | ({ kind: 'consulted' } & SpeakerReply)
  | { kind: 'similar'; matrix: number[][] }
  | { kind: 'responded'; status: number; body: string }
  /**
   * Values of the input's variables, or handles with shape and dtype where they are large; and what can be
   * called.
   */
  | { kind: 'opened'; variables: Readonly<Record<string, JsonValue>>; tools: readonly ModelTool[] }
  | { kind: 'called'; results: ToolResult[] }
  /**
   * In place of `opened` or `called`: the session ended by itself, as a call took too long. Closing it still
   * observes its world.
   */
  | { kind: 'ended'; ending: ExecutionEnding }
  | { kind: 'closed'; run: number; result: ExecutionResult }
  | { kind: 'executed'; run: number; result: ExecutionResult }
  | UnmetNeed

/** Why a candidate is not scored. */
export interface UnscoredReason {
  reason: UnscoredKind
  detail: string
}

/** The next state, at most 64 kB of JSON, with its need; or the end. */
export type EpisodeTransition =
  | { state: JsonValue; need: HostNeed }
  | { done: EpisodeStatement; notScored?: UnscoredReason }

export interface ScoreRequest {
  /** The kind of benchmark. */
  kind: string
  policy?: string
  case: BenchmarkCase
  candidate: Candidate
}

/** The execution request of a code request. */
export const buildExecutionRequest = ({
  language,
  code,
  world,
  inputs,
  limits,
}: ProgramRequest): ExecutionRequest => ({
  language,
  code,
  world,
  inputs: [...inputs],
  ...(limits && { limits }),
})
