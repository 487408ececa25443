/**
 * Why generation ended, in the words of every vendor and server, and what that means. Words are compared
 * without regard to case.
 */

/**
 * `stop`, `calls`: the model ended its answer. `length`: it was cut. `filtered`: it was refused or withheld.
 * `malformed`: the model wrote what its endpoint could not read, such as calls. `interrupted`: the server
 * stopped, not the model.
 */
type FinishMeaning = 'stop' | 'calls' | 'length' | 'filtered' | 'malformed' | 'interrupted'

interface FinishRow {
  word: string
  means: FinishMeaning
  source: string
}

const openai = 'https://platform.openai.com/docs/api-reference/chat/object'
const anthropic = 'https://docs.anthropic.com/en/api/handling-stop-reasons'
const google = 'https://ai.google.dev/api/generate-content#FinishReason'
const bedrock = 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html'
const cohere = 'https://docs.cohere.com/reference/chat'
const mistral = 'https://docs.mistral.ai/api/'
const tgi = 'https://huggingface.co/docs/text-generation-inference/messages_api'
const watsonx = 'https://cloud.ibm.com/apidocs/watsonx-ai#text-chat'
const zhipu = 'https://github.com/Xiang-CH/zhipu-ai-provider/blob/main/src/map-zhipu-finish-reason.ts'
const deepseek = 'https://api-docs.deepseek.com/api/create-chat-completion'
const vllm = 'https://github.com/vllm-project/vllm/issues/57082'
const sglang = 'https://github.com/sgl-project/sglang/pull/2956'
const openrouter = 'https://openrouter.ai/docs/api/reference/errors-and-debugging'
const groq = 'https://console.groq.com/docs/errors'
const ollama = 'https://github.com/ollama/ollama/blob/main/docs/api.md'

export const finishTable: readonly FinishRow[] = [
  { word: 'stop', means: 'stop', source: openai },
  { word: 'end_turn', means: 'stop', source: anthropic },
  { word: 'stop_sequence', means: 'stop', source: anthropic },
  { word: 'eos_token', means: 'stop', source: tgi },
  { word: 'eos', means: 'stop', source: 'https://docs.together.ai/reference/chat-completions-1' },
  { word: 'complete', means: 'stop', source: cohere },

  { word: 'tool_calls', means: 'calls', source: openai },
  { word: 'function_call', means: 'calls', source: openai },
  { word: 'tool_use', means: 'calls', source: anthropic },
  { word: 'tool_call', means: 'calls', source: cohere },

  { word: 'length', means: 'length', source: openai },
  { word: 'max_tokens', means: 'length', source: anthropic },
  { word: 'max_output_tokens', means: 'length', source: 'https://platform.openai.com/docs/guides/reasoning' },
  { word: 'model_length', means: 'length', source: mistral },
  { word: 'model_context_window_exceeded', means: 'length', source: anthropic },
  { word: 'token_limit', means: 'length', source: watsonx },
  { word: 'error_limit', means: 'length', source: cohere },
  {
    word: 'limit',
    means: 'length',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
  },

  { word: 'content_filter', means: 'filtered', source: openai },
  {
    word: 'content-filter',
    means: 'filtered',
    source: 'https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text',
  },
  { word: 'refusal', means: 'filtered', source: anthropic },
  { word: 'sensitive', means: 'filtered', source: zhipu },
  { word: 'safety', means: 'filtered', source: google },
  { word: 'recitation', means: 'filtered', source: google },
  { word: 'blocklist', means: 'filtered', source: google },
  { word: 'prohibited_content', means: 'filtered', source: google },
  { word: 'spii', means: 'filtered', source: google },
  { word: 'language', means: 'filtered', source: google },
  { word: 'model_armor', means: 'filtered', source: google },
  { word: 'content_filtered', means: 'filtered', source: bedrock },
  { word: 'guardrail_intervened', means: 'filtered', source: bedrock },
  { word: 'error_toxic', means: 'filtered', source: cohere },

  { word: 'malformed_function_call', means: 'malformed', source: google },
  { word: 'unexpected_tool_call', means: 'malformed', source: google },
  { word: 'malformed_response', means: 'malformed', source: google },
  { word: 'too_many_tool_calls', means: 'malformed', source: google },
  { word: 'malformed_model_output', means: 'malformed', source: bedrock },
  { word: 'malformed_tool_use', means: 'malformed', source: bedrock },
  // Codes of errors.
  { word: 'tool_use_failed', means: 'malformed', source: groq },
  { word: 'json_validate_failed', means: 'malformed', source: groq },

  { word: 'error', means: 'interrupted', source: openrouter },
  { word: 'insufficient_system_resource', means: 'interrupted', source: deepseek },
  { word: 'abort', means: 'interrupted', source: vllm },
  { word: 'aborted', means: 'interrupted', source: sglang },
  { word: 'network_error', means: 'interrupted', source: zhipu },
  { word: 'cancelled', means: 'interrupted', source: watsonx },
  {
    word: 'canceled',
    means: 'interrupted',
    source: 'https://github.com/huggingface/text-generation-inference/pull/2818',
  },
  { word: 'user_cancel', means: 'interrupted', source: cohere },
  { word: 'time_limit', means: 'interrupted', source: watsonx },
  { word: 'timeout', means: 'interrupted', source: cohere },
  { word: 'other', means: 'interrupted', source: google },
  { word: 'missing_thought_signature', means: 'interrupted', source: google },
  { word: 'load', means: 'interrupted', source: ollama },
  { word: 'unload', means: 'interrupted', source: ollama },
]

const meanings = new Map(finishTable.map(({ word, means }) => [word, means]))

/**
 * Gets the meaning of a finish reason; null if it is not known. Google's compatible endpoint puts two words
 * together: `content_filter: RECITATION`.
 */
export function finishMeaning(finish: string): FinishMeaning | null {
  const word = finish.toLowerCase()
  const [first = '', second = ''] = word
    .slice(0, 200)
    .split(':', 2)
    .map((part) => part.trim())
  return meanings.get(word) ?? meanings.get(second) ?? meanings.get(first) ?? null
}

/** The reason as answers have it: one word for what was cut, and one for what was withheld. */
export function toStoredFinish(finish: string): string {
  const means = finishMeaning(finish)
  return means === 'length' ? 'length' : means === 'filtered' ? 'content_filter' : finish
}
