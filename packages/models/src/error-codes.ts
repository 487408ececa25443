/**
 * Meanings of codes and types of errors as endpoints send them. Only these and the status decide that
 * nothing more can be asked: the words of a message never do.
 */

/**
 * `quota`, `key` and `model` concern every question; `context` and `moderation` this prompt; `busy` passes.
 * What the model wrote and its endpoint could not read is an answer (wire/finish.ts).
 */
type CodeMeaning = 'quota' | 'key' | 'model' | 'context' | 'moderation' | 'busy'

interface ErrorCode {
  code: string
  means: CodeMeaning
  source: string
}

const openai = 'https://platform.openai.com/docs/guides/error-codes'
const anthropic = 'https://docs.anthropic.com/en/api/errors'
const azure = 'https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter'
const google = 'https://cloud.google.com/apis/design/errors'
const groq = 'https://console.groq.com/docs/errors'
const dashscope = 'https://help.aliyun.com/zh/model-studio/error-code'
const zhipu = 'https://docs.z.ai/api-reference/api-code'
const moonshot = 'https://platform.moonshot.ai/docs/api/chat#error-description'
const github = 'https://github.com/orgs/community/discussions/149698'
const litellm = 'https://docs.litellm.ai/docs/exception_mapping'
const newApi = 'https://github.com/QuantumNous/new-api'
const llamaCpp = 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md'

export const errorCodes: readonly ErrorCode[] = [
  { code: 'insufficient_quota', means: 'quota', source: openai },
  { code: 'billing_hard_limit_reached', means: 'quota', source: openai },
  { code: 'billing_not_active', means: 'quota', source: openai },
  { code: 'billing_error', means: 'quota', source: anthropic },
  { code: 'Arrearage', means: 'quota', source: dashscope },
  { code: 'exceeded_current_quota_error', means: 'quota', source: moonshot },
  { code: 'insufficient_user_quota', means: 'quota', source: newApi },
  { code: '1113', means: 'quota', source: zhipu },

  { code: 'invalid_api_key', means: 'key', source: openai },
  { code: 'account_deactivated', means: 'key', source: openai },
  { code: 'unsupported_country_region_territory', means: 'key', source: openai },
  { code: 'authentication_error', means: 'key', source: anthropic },
  { code: 'permission_error', means: 'key', source: anthropic },
  { code: 'UNAUTHENTICATED', means: 'key', source: google },
  { code: 'PERMISSION_DENIED', means: 'key', source: google },
  {
    code: 'AccessDeniedException',
    means: 'key',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
  },
  { code: 'organization_restricted', means: 'key', source: groq },

  { code: 'model_not_found', means: 'model', source: openai },
  { code: 'model_decommissioned', means: 'model', source: groq },
  {
    code: 'DeploymentNotFound',
    means: 'model',
    source: 'https://learn.microsoft.com/azure/ai-services/openai/how-to/create-resource',
  },
  { code: 'invalid_model', means: 'model', source: 'https://docs.mistral.ai/api/' },
  { code: 'unknown_model', means: 'model', source: github },

  { code: 'context_length_exceeded', means: 'context', source: openai },
  { code: 'exceed_context_size_error', means: 'context', source: llamaCpp },
  { code: 'ContextWindowExceededError', means: 'context', source: litellm },
  { code: 'request_too_large', means: 'context', source: anthropic },
  { code: 'tokens_limit_reached', means: 'context', source: github },
  { code: 'model_max_prompt_tokens_exceeded', means: 'context', source: github },
  { code: '1261', means: 'context', source: zhipu },

  { code: 'content_policy_violation', means: 'moderation', source: openai },
  { code: 'content_filter', means: 'moderation', source: azure },
  { code: 'ResponsibleAIPolicyViolation', means: 'moderation', source: azure },
  { code: 'moderation_blocked', means: 'moderation', source: openai },
  { code: 'invalid_prompt', means: 'moderation', source: 'https://community.openai.com/t/1033440' },
  { code: 'ContentPolicyViolationError', means: 'moderation', source: litellm },
  { code: 'data_inspection_failed', means: 'moderation', source: dashscope },
  { code: 'DataInspectionFailed', means: 'moderation', source: dashscope },
  { code: 'sensitive_words_detected', means: 'moderation', source: newApi },
  { code: '1301', means: 'moderation', source: zhipu },

  { code: 'rate_limit_exceeded', means: 'busy', source: openai },
  { code: 'rate_limit_error', means: 'busy', source: anthropic },
  { code: 'overloaded_error', means: 'busy', source: anthropic },
  { code: 'RESOURCE_EXHAUSTED', means: 'busy', source: google },
  { code: 'rateLimitExceeded', means: 'busy', source: google },
  {
    code: 'ThrottlingException',
    means: 'busy',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
  },
  { code: 'Throttling.RateQuota', means: 'busy', source: dashscope },
  { code: 'engine_overloaded_error', means: 'busy', source: moonshot },
]

const byCode = new Map(errorCodes.map(({ code, means }) => [code.toLowerCase(), means]))

/** The meaning of the first code that is known; null if none is. */
export const findMeaning = (codes: readonly string[]): CodeMeaning | null =>
  codes.map((code) => byCode.get(code.toLowerCase())).find((means) => means !== undefined) ?? null
