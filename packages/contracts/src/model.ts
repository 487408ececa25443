/**
 * Models: named OpenAI-compatible endpoints and their prices. Keys are referenced by name, never stored.
 */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'
import { ProbeFinding } from './probe.ts'

/** The built-in models: the reference code, and seeded mutants of it, which measure the oracle. */
export const builtInModels = ['reference', 'mutant'] as const
export type BuiltInModel = (typeof builtInModels)[number]

export const modelNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'
export const ModelName = Type.String({
  pattern: modelNamePattern,
  description: 'Letters, digits, dot, dash, underscore',
})

/** Prices of a model's tokens. */
export const ModelPrices = Type.Object(
  {
    promptPerMillion: Type.Number({ minimum: 0, description: 'US dollars per million prompt tokens' }),
    completionPerMillion: Type.Number({
      minimum: 0,
      description: 'US dollars per million completion tokens',
    }),
  },
  { additionalProperties: false },
)
export type ModelPrices = Static<typeof ModelPrices>

/** Values of headers and of query parameters: visible ASCII and spaces. */
const sentText = Type.String({ maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' })
const headerName = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$' })

/** Additions to each request to an endpoint, of a model or a live API. */
export const endpointExtras = {
  keyHeader: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$',
      description: 'The header that contains the key unchanged. Default: authorization, as a bearer token',
    }),
  ),
  headers: Type.Optional(
    defineRecord(sentText, {
      names: headerName,
      maxProperties: 32,
      description:
        'Headers of each request. A secret is written as ${NAME}, with the rules of keyEnv: {"x-gateway-key": "Bearer ${STATEEVAL_KEY_GATEWAY}"}',
    }),
  ),
  query: Type.Optional(
    defineRecord(sentText, {
      names: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9._-]{0,63}$' }),
      maxProperties: 32,
      description:
        'Query parameters of each request, such as {"api-version": "2024-10-21"}. A secret is written as ${NAME}, with the rules of keyEnv',
    }),
  ),
}

/** Vendors and servers whose manners are known (docs/models.md). */
export const dialectIds = [
  ...['openai', 'azure', 'anthropic', 'google', 'deepseek', 'mistral', 'groq', 'xai', 'openrouter'],
  ...['bedrock', 'vllm', 'sglang', 'llama.cpp', 'ollama', 'lm-studio', 'litellm', 'tgi'],
] as const
export type DialectId = (typeof dialectIds)[number]

/** Roles in which the system's text may be sent. */
export const systemRoles = ['system', 'developer', 'user'] as const
export type SystemRole = (typeof systemRoles)[number]

/** How to reach a model. */
export const ModelSettings = Type.Object(
  {
    baseUrl: Type.String({
      minLength: 8,
      maxLength: 2000,
      description:
        'Base URL of an OpenAI-compatible API, such as http://127.0.0.1:8000/v1; no user, password, query (name it in query) or fragment. A host that is not public must be in STATEEVAL_MODEL_NETWORKS of the service',
    }),
    model: Type.String({ minLength: 1, maxLength: 200, description: 'The model id that the endpoint knows' }),
    keyEnv: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,99}$',
        description:
          'Name of the environment variable of the evaluation service that contains the key: STATEEVAL_KEY_*, or one listed in STATEEVAL_KEY_NAMES. The host of baseUrl must be in the variable of the same name with the suffix _HOSTS',
      }),
    ),
    ...endpointExtras,
    api: Type.Optional(
      Type.Union([Type.Literal('chat'), Type.Literal('completions'), Type.Literal('embeddings')], {
        description:
          'chat (the default) sends messages; completions sends their plain text to a base model, without a template, tools or roles: name stop strings and max_tokens in parameters; embeddings returns vectors, for evaluations that compare texts',
      }),
    ),
    dialect: Type.Optional(
      Type.Enum(dialectIds, {
        type: 'string',
        description: 'How requests are written; by default that of the host of baseUrl',
      }),
    ),
    systemRole: Type.Optional(
      Type.Enum(systemRoles, {
        type: 'string',
        description:
          'With chat: the role of the system’s text. user puts it before the next message of the user, for servers and templates without a role system. By default system, or user where a probe or a rejection has shown that system is rejected',
      }),
    ),
    prefix: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'With completions: text between the prompt and the answer, such as an opening code fence',
      }),
    ),
    stream: Type.Optional(
      Type.Boolean({
        description: 'Whether answers are streamed. An interrupted stream is requested again',
      }),
    ),
    parameters: Type.Optional(
      defineRecord(Type.Unknown(), {
        names: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
        description: 'Parameters sent unchanged with each request: temperature, max_tokens, seed, …',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Maximum number of concurrent requests per replica; 8 by default',
      }),
    ),
    requestsPerMinute: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Maximum number of requests per minute and replica; no limit by default',
      }),
    ),
    tokensPerMinute: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Maximum number of tokens per minute and replica, prompt and completion together; no limit by default',
      }),
    ),
    retries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 20, description: 'Attempts after the first; 6 by default' }),
    ),
    prices: Type.Optional(ModelPrices),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 3_600_000,
        description: 'Timeout of one request in milliseconds; 120 000 by default',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ModelSettings = Static<typeof ModelSettings>

/**
 * The usage of the calls of a sample or an evaluation, as the endpoint reported it; otherwise estimated
 * from the text.
 */
export const Usage = Type.Object(
  {
    requests: Type.Integer({ minimum: 0 }),
    promptTokens: Type.Integer({ minimum: 0 }),
    completionTokens: Type.Integer({ minimum: 0 }),
    estimated: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Replies whose tokens the endpoint did not count, so that they were estimated',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Usage = Static<typeof Usage>

/** Findings of a probe, valid as long as the model's endpoint stays the same. */
export const ModelProbe = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    findings: Type.Array(ProbeFinding),
    usage: Usage,
    costUsd: Type.Union([Type.Number(), Type.Null()], { description: 'null if no price is known' }),
  },
  {
    additionalProperties: false,
    description:
      'The last probe of this endpoint; absent if there was none since its address, model id, api, dialect, headers or query changed',
  },
)
export type ModelProbe = Static<typeof ModelProbe>

export const Model = Type.Object(
  {
    name: ModelName,
    kind: Type.Union([Type.Literal('endpoint'), Type.Literal('built-in')]),
    description: Type.Optional(Type.String()),
    settings: Type.Optional(ModelSettings),
    declaredIn: Type.Optional(
      Type.Literal('file', {
        description:
          'Whether the file in STATEEVAL_MODELS_FILE declares the model, which can then be changed only there',
      }),
    ),
    updatedAt: Type.Optional(Type.String({ format: 'date-time' })),
    probe: Type.Optional(ModelProbe),
    links: defineRecord(Type.String()),
  },
  { additionalProperties: false },
)
export type Model = Static<typeof Model>

/**
 * Limits on an evaluation's usage. They are checked before each request, so requests in flight may exceed
 * them.
 */
export const UsageBudget = Type.Object(
  {
    usd: Type.Optional(Type.Number({ minimum: 0, description: 'US dollars; the model must have prices' })),
    tokens: Type.Optional(Type.Integer({ minimum: 0, description: 'Prompt and completion tokens together' })),
  },
  { additionalProperties: false },
)
export type UsageBudget = Static<typeof UsageBudget>

/**
 * A function that a model may call (OpenAI's form), and a requested call; `arguments` is the model's text,
 * unchanged.
 */
export interface ModelTool {
  name: string
  description?: string
  parameters?: Readonly<Record<string, unknown>>
}
export const ModelTool = Type.Unsafe<ModelTool>(
  Type.Object(
    {
      name: Type.String(),
      description: Type.Optional(Type.String()),
      parameters: Type.Optional(
        defineRecord(Type.Unknown(), { description: 'JSON Schema of the arguments, which are an object' }),
      ),
    },
    { additionalProperties: false },
  ),
)
export const ModelToolCall = Type.Object(
  { id: Type.String(), name: Type.String(), arguments: Type.String() },
  { additionalProperties: false },
)
export type ModelToolCall = Static<typeof ModelToolCall>
/** The maximum per reply. */
export const maxToolCalls = 1000

/**
 * Members that an endpoint demands back with its replies, unchanged: thoughts, signatures. Nothing here reads
 * them.
 */
export const VendorMembers = Type.Object(
  {
    message: Type.Optional(
      defineRecord(Type.Unknown(), { description: 'Members of the message, such as reasoning_content' }),
    ),
    calls: Type.Optional(
      Type.Array(defineRecord(Type.Unknown()), {
        maxItems: maxToolCalls,
        description: 'Members of each tool call, in order, such as extra_content with a thought signature',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Members of the endpoint’s message that go back to it unchanged, such as thoughts and signatures',
  },
)
export type VendorMembers = Static<typeof VendorMembers>
