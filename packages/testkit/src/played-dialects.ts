/**
 * How vendors and servers answer, where it differs from OpenAI's API: what they reject, and the forms of
 * their replies. A scripted endpoint plays a row of this table.
 */
import { type DialectId, isRecord } from '@stateeval/contracts'

type Body = Readonly<Record<string, unknown>>

/** A part of a request that is rejected, and the answer to it. */
interface Rejection {
  part: RejectedPart
  status: number
  body: unknown
  source: string
}
export interface PlayedDialect {
  rejects?: readonly Rejection[]
  /** The member of a message that contains its thoughts, with its source; in `content` they have tags. */
  thoughts?: readonly [member: string, source: string]
  /** `always`: usage comes in the chunk with the reason to stop, whether asked for or not. */
  streamUsage?: readonly ['always', source: string]
  /** The first chunk, before any of the answer. */
  opening?: readonly [chunk: object, source: string]
  /** Members of an entry of its list of models. */
  listed?: readonly [entry: object, source: string]
  /** Lines between chunks that are no data. */
  comment?: readonly [line: string, source: string]
  /** Members of each call besides those of OpenAI's. */
  calls?: readonly [members: object, source: string]
  /** Other words for reasons to stop. */
  finishes?: readonly [words: Readonly<Record<string, string>>, source: string]
}

/** The calls that a request gives back. */
const listCalls = (messages: unknown): unknown[] =>
  Array.isArray(messages)
    ? messages.flatMap((message: unknown) =>
        isRecord(message) && Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]) : [],
      )
    : []

/** Whether a request has a part. */
const parts = {
  max_tokens: (body: Body) => body['max_tokens'] !== undefined,
  max_completion_tokens: (body: Body) => body['max_completion_tokens'] !== undefined,
  temperature: (body: Body) => body['temperature'] !== undefined,
  stream_options: (body: Body) => body['stream_options'] !== undefined,
  logprobs: (body: Body) => body['logprobs'] !== undefined,
  json_schema: ({ response_format: format }: Body) => isRecord(format) && format['type'] === 'json_schema',
  'system role': ({ messages }: Body) =>
    Array.isArray(messages) && messages.some((one) => isRecord(one) && one['role'] === 'system'),
  'named tool': (body: Body) => isRecord(body['tool_choice']),
  'unsigned call': ({ messages }: Body) =>
    listCalls(messages).some((call) => !isRecord(call) || !isRecord(call['extra_content'])),
}
type RejectedPart = keyof typeof parts

const openAiError = (code: string, param: string, message: string) => ({
  error: { message, type: 'invalid_request_error', param, code },
})
const forbidden = (...place: string[]) => ({
  object: 'error',
  message: {
    detail: [{ type: 'extra_forbidden', loc: ['body', ...place], msg: 'Extra inputs are not permitted' }],
  },
  type: 'invalid_request_error',
  param: null,
  code: null,
})

export const playedDialects: Readonly<Record<DialectId, PlayedDialect>> = {
  // A reasoning model.
  openai: {
    rejects: [
      {
        part: 'max_tokens',
        status: 400,
        body: openAiError(
          'unsupported_parameter',
          'max_tokens',
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ),
        source: 'https://github.com/openai/openai-python/issues/2046',
      },
      {
        part: 'temperature',
        status: 400,
        body: openAiError(
          'unsupported_value',
          'temperature',
          "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        ),
        source: 'https://github.com/johny-b/llmcomp/issues/69',
      },
    ],
  },
  azure: {
    rejects: [
      {
        part: 'max_tokens',
        status: 400,
        body: openAiError('unsupported_parameter', 'max_tokens', "Unsupported parameter: 'max_tokens'"),
        source: 'https://github.com/openai/openai-python/issues/2046',
      },
    ],
    opening: [
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      'https://learn.microsoft.com/en-us/answers/questions/1533887/does-streaming-work-with-tool-calls-yet-on-azureop',
    ],
  },
  // It ignores what it does not know, and answers as OpenAI does.
  anthropic: {},
  google: {
    calls: [
      { extra_content: { google: { thought_signature: 'EoICCv8B' } } },
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
    ],
    rejects: [
      {
        part: 'unsigned call',
        status: 400,
        body: [
          {
            error: {
              code: 400,
              message: 'Function call is missing a thought_signature in functionCall parts.',
              status: 'INVALID_ARGUMENT',
            },
          },
        ],
        source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
      },
    ],
    finishes: [{ length: 'MAX_TOKENS' }, 'https://ai.google.dev/api/generate-content#FinishReason'],
  },
  deepseek: {
    rejects: [
      {
        part: 'json_schema',
        status: 400,
        body: {
          error: {
            message: 'This response_format type is unavailable now',
            type: 'invalid_request_error',
            param: null,
            code: 'invalid_request_error',
          },
        },
        source: 'https://github.com/UKGovernmentBEIS/inspect_ai/issues/4916',
      },
    ],
    thoughts: ['reasoning_content', 'https://api-docs.deepseek.com/guides/reasoning_model'],
  },
  mistral: {
    listed: [{ max_context_length: 131072 }, 'https://docs.mistral.ai/api/#tag/models'],
    rejects: [
      {
        part: 'max_completion_tokens',
        status: 422,
        body: forbidden('max_completion_tokens'),
        source: 'https://github.com/editor-code-assistant/eca/issues/231',
      },
      {
        part: 'stream_options',
        status: 422,
        body: forbidden('stream_options', 'include_usage'),
        source: 'https://github.com/dnakov/anon-kode/issues/53',
      },
    ],
    streamUsage: ['always', 'https://github.com/dnakov/anon-kode/issues/53'],
  },
  groq: {
    listed: [{ context_window: 131072 }, 'https://console.groq.com/docs/models'],
    rejects: [
      {
        part: 'logprobs',
        status: 400,
        body: { error: { message: '`logprobs` is not supported', type: 'invalid_request_error' } },
        source: 'https://console.groq.com/docs/openai',
      },
    ],
    thoughts: ['reasoning', 'https://console.groq.com/docs/reasoning'],
  },
  xai: { thoughts: ['reasoning_content', 'https://docs.x.ai/docs/guides/reasoning'] },
  openrouter: {
    listed: [{ context_length: 131072 }, 'https://openrouter.ai/docs/api-reference/list-available-models'],
    thoughts: ['reasoning', 'https://openrouter.ai/docs/use-cases/reasoning-tokens'],
    comment: [': OPENROUTER PROCESSING', 'https://openrouter.ai/docs/api-reference/streaming'],
  },
  // Open models of OpenAI.
  bedrock: { thoughts: ['content', 'https://github.com/CherryHQ/cherry-studio/issues/10225'] },
  vllm: {
    listed: [
      { max_model_len: 131072 },
      'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
    ],
    thoughts: ['reasoning_content', 'https://docs.vllm.ai/en/latest/features/reasoning_outputs.html'],
  },
  sglang: {
    listed: [{ max_model_len: 131072 }, 'https://docs.sglang.io/docs/backend/openai_api_completions'],
    thoughts: ['reasoning_content', 'https://docs.sglang.io/docs/advanced_features/separate_reasoning'],
  },
  'llama.cpp': {
    listed: [
      { meta: { n_ctx_train: 131072 } },
      'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
    ],
    rejects: [
      {
        part: 'named tool',
        status: 400,
        body: { error: { code: 400, message: 'invalid tool_choice', type: 'invalid_request_error' } },
        source: 'https://github.com/ggml-org/llama.cpp/pull/28806',
      },
    ],
  },
  ollama: { thoughts: ['reasoning', 'https://github.com/ollama/ollama/blob/main/openai/openai.go'] },
  'lm-studio': {
    rejects: [
      {
        part: 'named tool',
        status: 400,
        body: {
          error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
        },
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670',
      },
    ],
  },
  litellm: {
    calls: [
      { provider_specific_fields: { thought_signature: 'EoICCv8B' } },
      'https://docs.litellm.ai/docs/reasoning_content',
    ],
  },
  tgi: {
    finishes: [{ stop: 'eos_token' }, 'https://huggingface.co/docs/text-generation-inference/messages_api'],
  },
}

/** The answer to a request that has a part which is rejected; null if it has none. */
export const rejectionOf = ({ rejects = [] }: PlayedDialect, body: Body): Rejection | null =>
  rejects.find(({ part }) => parts[part](body)) ?? null

interface Choice {
  message?: object
  delta?: object
  finish_reason: string | null
}
/** A whole reply or a chunk of one. */
interface Reply {
  choices: Choice[]
  usage?: object
}
const formatThought = (member: string) =>
  member === 'content' ? '<reasoning>let me see</reasoning>' : 'let me see'
/** A message with thoughts before its text. */
function playThoughts({ thoughts }: PlayedDialect, message: Readonly<Record<string, unknown>>): object {
  if (!thoughts) return message
  const [member] = thoughts
  const own = message[member]
  return { ...message, [member]: `${formatThought(member)}${typeof own === 'string' ? own : ''}` }
}

/** A message, or a piece of one, whose calls have what the dialect adds. */
function playCalls({ calls }: PlayedDialect, message: object): object {
  if (!calls || !('tool_calls' in message) || !Array.isArray(message.tool_calls)) return message
  return { ...message, tool_calls: message.tool_calls.map((call: object) => ({ ...call, ...calls[0] })) }
}

/** A choice in the dialect, without its thoughts. */
const playChoice = (
  dialect: PlayedDialect,
  { message, delta, finish_reason: finish, ...others }: Choice,
) => ({
  ...others,
  ...(message && { message: playCalls(dialect, message) }),
  ...(delta && { delta: playCalls(dialect, delta) }),
  finish_reason: finish === null ? null : (dialect.finishes?.[0][finish] ?? finish),
})

/** A whole reply in the dialect. */
export function playWhole(dialect: PlayedDialect, reply: Reply): Reply {
  const choices = reply.choices.map((choice) => {
    const { message, ...others } = playChoice(dialect, choice)
    return {
      ...others,
      ...(message && { message: playThoughts(dialect, { ...message }) }),
    }
  })
  return { ...reply, choices }
}

/** The lines of a streamed reply in the dialect. */
export function* playChunks(dialect: PlayedDialect, chunks: Iterable<Reply>): Generator<string> {
  const { thoughts, streamUsage, opening, comment } = dialect
  const line = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`
  if (comment) yield `${comment[0]}\n\n`
  if (opening) yield line(opening[0])
  if (thoughts) yield line({ choices: [{ index: 0, delta: playThoughts(dialect, {}), finish_reason: null }] })
  let last: Reply | undefined
  for (const plain of chunks) {
    const chunk = { ...plain, choices: plain.choices.map((choice) => playChoice(dialect, choice)) }
    if (!streamUsage) yield line(chunk)
    // Usage has a chunk of its own, behind the one with the reason to stop.
    else if (chunk.choices.length === 0) yield line({ ...last, usage: chunk.usage })
    else if (chunk.choices[0]?.finish_reason) last = chunk
    else yield line(chunk)
  }
}
