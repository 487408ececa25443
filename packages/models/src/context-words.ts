/**
 * How endpoints say that a prompt does not fit the model's context, where they send no code for it
 * (error-codes.ts). Each row has a wording as it was seen, with numbers of ours.
 */

interface ContextWording {
  words: RegExp
  said: string
  by: string
  source: string
}

const pi = 'https://github.com/earendil-works/pi/issues/129'

export const contextWordings: readonly ContextWording[] = [
  {
    words: /(maximum|max) context (length|window|size)/i,
    said: 'This model’s maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.',
    by: 'OpenAI, DeepSeek, OpenRouter, older vLLM',
    source: 'https://github.com/vllm-project/vllm/issues/20409',
  },
  {
    words: /exceeds? the context window/i,
    said: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    by: 'OpenAI',
    source: pi,
  },
  {
    words: /input tokens exceed the configured limit/i,
    said: 'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300001 tokens. Please reduce the length of the messages.',
    by: 'Azure OpenAI',
    source: 'https://learn.microsoft.com/answers/questions/5511583',
  },
  {
    words: /prompt (is )?too long/i,
    said: 'prompt is too long: 210001 tokens > 200000 maximum',
    by: 'Anthropic, Vertex, Fireworks, Ollama',
    source: pi,
  },
  {
    words: /exceeds? context limit/i,
    said: 'input length and `max_tokens` exceed context limit: 170636 + 34048 > 200000, decrease input length or `max_tokens` and try again',
    by: 'Anthropic',
    source: 'https://github.com/openclaw/openclaw/pull/20539',
  },
  {
    words: /input token count .{0,40}exceeds the maximum number of tokens/i,
    said: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    by: 'Google',
    source: pi,
  },
  {
    words: /too large for model with \d+ maximum context/i,
    said: 'Prompt contains 40001 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    by: 'Mistral',
    source: 'https://github.com/strands-agents/harness-sdk/pull/2958',
  },
  {
    words: /reduce the length of the (messages|input|prompt)/i,
    said: 'Please reduce the length of the messages or completion. Current length is 9001 while limit is 8192',
    by: 'Groq, Cerebras',
    source: pi,
  },
  {
    words: /longer than the maximum model length/i,
    said: 'The decoder prompt (length 9001) is longer than the maximum model length of 8192.',
    by: 'vLLM',
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/v1/engine/processor.py',
  },
  {
    words: /too long to fit into the model/i,
    said: 'The prompt (total length 9001) is too long to fit into the model (context length 8192). Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.',
    by: 'vLLM',
    source: 'https://github.com/vllm-project/vllm/issues/12165',
  },
  {
    words: /max_tokens must be at least 1, got -\d/i,
    said: 'max_tokens must be at least 1, got -829.',
    by: 'vLLM',
    source: 'https://github.com/vllm-project/vllm/issues/4465',
  },
  {
    words: /longer than the model.s context length/i,
    said: 'The input (9001 tokens) is longer than the model’s context length (8192 tokens).',
    by: 'SGLang',
    source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/managers/tokenizer_manager.py',
  },
  {
    words: /exceeds the model.s (maximum )?context/i,
    said: 'Requested token count exceeds the model’s maximum context length of 8192 tokens. You requested a total of 9001 tokens.',
    by: 'SGLang',
    source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/managers/tokenizer_manager.py',
  },
  {
    words: /exceeds the maximum allowed (input )?length/i,
    said: 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.',
    by: 'SGLang, Poolside over OpenRouter',
    source: 'https://github.com/earendil-works/pi/issues/4943',
  },
  {
    words: /exceeds the available context size/i,
    said: 'request (5001 tokens) exceeds the available context size (4096 tokens), try increasing it',
    by: 'llama.cpp',
    source: 'https://github.com/cline/kanban/pull/505',
  },
  {
    words: /input is too large to process/i,
    said: 'input is too large to process. increase the physical batch size',
    by: 'llama.cpp',
    source: 'https://github.com/ggml-org/llama.cpp/issues/12295',
  },
  {
    words: /tokens (\(\d+\) )?exceed (the )?context window/i,
    said: 'Requested tokens (5001) exceed context window of 4096',
    by: 'llama-cpp-python',
    source: 'https://github.com/abetlen/llama-cpp-python/issues/416',
  },
  {
    words: /input length exceeds (the |maximum )?context/i,
    said: 'the input length exceeds the context length',
    by: 'Ollama',
    source: 'https://github.com/ollama/ollama/blob/main/server/routes.go',
  },
  {
    words: /exceeded max context length/i,
    said: 'exceeded max context length by 905 tokens',
    by: 'Ollama',
    source: 'https://github.com/ollama/ollama/blob/main/server/prompt.go',
  },
  {
    words: /greater than the context length/i,
    said: 'The number of tokens to keep from the initial prompt is greater than the context length.',
    by: 'LM Studio',
    source: pi,
  },
  {
    words: /loaded with context length of only/i,
    said: 'Trying to keep the first 5001 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    by: 'LM Studio',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/237',
  },
  {
    words: /`?inputs`? tokens \+ `?max_new_tokens`? must be/i,
    said: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4001 `inputs` tokens and 1000 `max_new_tokens`',
    by: 'TGI, Together',
    source: 'https://github.com/huggingface/text-generation-inference/blob/main/router/src/validation.rs',
  },
  {
    words: /`?inputs`? must have less than \d+ tokens/i,
    said: 'Input validation error: `inputs` must have less than 4095 tokens. Given: 5001',
    by: 'TGI',
    source: 'https://github.com/huggingface/text-generation-inference/blob/main/router/src/validation.rs',
  },
  {
    words: /input is too long/i,
    said: 'Input is too long for requested model.',
    by: 'Amazon Bedrock',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
  },
  {
    words: /context window exceeded/i,
    said: 'litellm.BadRequestError: Context Window exceeded for given call. No models have context window large enough for this call.',
    by: 'LiteLLM',
    source: 'https://github.com/anomalyco/opencode/issues/44888',
  },
  {
    words: /too many tokens: /i,
    said: 'too many tokens: size limit exceeded by 905 tokens. Try using shorter or fewer inputs. The limit for this model is 4096 tokens.',
    by: 'Cohere',
    source: 'https://github.com/openclaw/openclaw/pull/58847',
  },
  {
    words: /maximum prompt length is \d+/i,
    said: 'This model’s maximum prompt length is 131072 but the request contains 537812 tokens.',
    by: 'xAI',
    source: pi,
  },
  {
    words: /exceeded model token limit/i,
    said: 'Invalid request: Your request exceeded model token limit: 8192 (requested: 9001)',
    by: 'Moonshot',
    source: 'https://platform.moonshot.ai/docs/api/chat#error-description',
  },
  {
    words: /context window exceeds limit/i,
    said: 'invalid params, context window exceeds limit (2013)',
    by: 'MiniMax',
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
  },
  {
    words: /prompt exceeds max(imum)? length/i,
    said: 'Prompt exceeds max length',
    by: 'Zhipu',
    source: 'https://docs.z.ai/api-reference/api-code',
  },
  {
    words: /tokens of image and text exceed max message tokens/i,
    said: 'Total tokens of image and text exceed max message tokens',
    by: 'Volcengine (Doubao)',
    source: 'https://github.com/bytedance/deer-flow/issues/583',
  },
  {
    words: /range of input length should be/i,
    said: 'Range of input length should be [1, 30720]',
    by: 'DashScope',
    source: 'https://github.com/anomalyco/opencode/pull/45834',
  },
  {
    words: /prompt token count .{0,20}exceeds the limit/i,
    said: 'prompt token count of 130001 exceeds the limit of 128000',
    by: 'GitHub Copilot',
    source: 'https://github.com/orgs/community/discussions/149698',
  },
  {
    words: /exceeds max_seq_len|greater than max_seq_len/i,
    said: 'Prompt too long: 5152 tokens exceeds max_seq_len 2048 (leave room for output tokens)',
    by: 'Atlas, TabbyAPI, TensorRT-LLM',
    source: 'https://github.com/0xBakeer/inference-atlas/pull/186',
  },
  {
    words: /larger than the model input length limit/i,
    said: 'Request prompt has 5001 tokens in total, larger than the model input length limit 4096.',
    by: 'MLC LLM',
    source: 'https://github.com/mlc-ai/mlc-llm/blob/main/python/mlc_llm/serve/engine_base.py',
  },
  {
    words: /input tokens \d+ cannot exceed the total tokens limit/i,
    said: 'the number of input tokens 5001 cannot exceed the total tokens limit 4096 for this model',
    by: 'watsonx.ai',
    source:
      'https://github.com/BerriAI/litellm/blob/main/litellm/litellm_core_utils/exception_mapping_utils.py',
  },
]

/** Tells whether a message says, in a known wording, that the prompt does not fit. */
export const hasContextWords = (text: string): boolean =>
  contextWordings.some(({ words }) => words.test(text))
