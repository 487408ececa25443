/**
 * Request format of each vendor and server, where it differs from OpenAI's API. A row is data; each fact has
 * its source.
 */
import type { DialectId, SystemRole } from '@stateeval/contracts'

/** How a request is written. What a dialect does not name is as in OpenAI's API. */
export interface RequestManners {
  /** The name of the maximum number of tokens; by default the one that the settings use. */
  maxTokens?: 'max_tokens' | 'max_completion_tokens'
  /** `unasked`: usage of a stream comes without stream_options, which is rejected. */
  streamUsage?: 'unasked'
  /** `told`: an answer’s schema has no effect or is rejected; it is written into the messages. */
  schema?: 'told'
  /** `word`: one tool cannot be named; it is required as the only one. */
  toolChoice?: 'word'
  /** The role of the system's text. `user`: it stands before the next message of the user. */
  system?: SystemRole
  /** Parameters that are rejected, and therefore not sent. */
  refused?: readonly string[]
}
interface DialectFact<T> {
  value: T
  source: string
}
type DialectFacts = {
  readonly [manner in keyof RequestManners]?: DialectFact<NonNullable<RequestManners[manner]>>
}

interface VendorDialect {
  name: string
  /** Hosts whose base URLs have this dialect, as in `STATEEVAL_KEY_…_HOSTS`. */
  hosts?: readonly string[]
  facts: DialectFacts
  /** Settings of the model that a person must make. */
  needs?: DialectFact<string>
}

export const dialects: Readonly<Record<DialectId, VendorDialect>> = {
  openai: {
    name: 'OpenAI',
    hosts: ['api.openai.com', '*.api.openai.com'],
    facts: {
      maxTokens: {
        value: 'max_completion_tokens',
        source: 'https://github.com/openai/openai-python/issues/2046',
      },
    },
  },
  azure: {
    name: 'Azure OpenAI',
    hosts: ['*.openai.azure.com', '*.cognitiveservices.azure.com', '*.services.ai.azure.com'],
    facts: {},
    needs: {
      value: 'keyHeader `api-key`, query `api-version`',
      source: 'https://learn.microsoft.com/azure/ai-services/openai/reference',
    },
  },
  anthropic: {
    name: 'Anthropic (OpenAI SDK)',
    hosts: ['api.anthropic.com'],
    facts: { schema: { value: 'told', source: 'https://docs.anthropic.com/en/api/openai-sdk' } },
  },
  google: {
    name: 'Google (Gemini, Vertex AI)',
    hosts: ['generativelanguage.googleapis.com', '*.googleapis.com'],
    facts: {},
  },
  deepseek: {
    name: 'DeepSeek',
    hosts: ['api.deepseek.com'],
    facts: {
      schema: { value: 'told', source: 'https://github.com/UKGovernmentBEIS/inspect_ai/issues/4916' },
    },
  },
  mistral: {
    name: 'Mistral',
    hosts: ['api.mistral.ai', '*.api.mistral.ai'],
    facts: {
      maxTokens: {
        value: 'max_tokens',
        source: 'https://github.com/editor-code-assistant/eca/issues/231',
      },
      streamUsage: { value: 'unasked', source: 'https://github.com/dnakov/anon-kode/issues/53' },
    },
  },
  groq: {
    name: 'Groq',
    hosts: ['api.groq.com'],
    facts: {
      refused: {
        value: ['logprobs', 'logit_bias', 'top_logprobs'],
        source: 'https://console.groq.com/docs/openai',
      },
    },
  },
  xai: {
    name: 'xAI',
    hosts: ['api.x.ai', '*.api.x.ai'],
    facts: {},
    needs: {
      value: 'neither `stop` nor penalties for a reasoning model',
      source: 'https://docs.x.ai/docs/guides/reasoning',
    },
  },
  openrouter: { name: 'OpenRouter', hosts: ['openrouter.ai'], facts: {} },
  bedrock: { name: 'Amazon Bedrock and its gateways', hosts: ['*.amazonaws.com'], facts: {} },
  vllm: { name: 'vLLM', facts: {} },
  sglang: { name: 'SGLang', facts: {} },
  'llama.cpp': {
    name: 'llama.cpp',
    facts: {
      toolChoice: { value: 'word', source: 'https://github.com/ggml-org/llama.cpp/issues/26535' },
    },
  },
  ollama: {
    name: 'Ollama',
    facts: {
      maxTokens: { value: 'max_tokens', source: 'https://docs.ollama.com/api/openai-compatibility' },
    },
  },
  'lm-studio': {
    name: 'LM Studio',
    facts: {
      toolChoice: {
        value: 'word',
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670',
      },
    },
  },
  litellm: { name: 'LiteLLM', facts: {} },
  tgi: { name: 'Text Generation Inference', facts: {} },
}
