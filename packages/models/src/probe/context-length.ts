/** How long a prompt and its answer may be, as an endpoint's list of models says. */
import type { ModelSettings } from '@stateeval/contracts'
import { openEndpoint, type EndpointOptions } from '../endpoint.ts'
import { toMembers } from '../wire/members.ts'

/** Members of an entry that contain it, and where they are documented. */
export const contextMembers: readonly { path: readonly string[]; source: string }[] = [
  { path: ['max_model_len'], source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html' },
  { path: ['context_length'], source: 'https://openrouter.ai/docs/api-reference/list-available-models' },
  { path: ['context_window'], source: 'https://console.groq.com/docs/models' },
  { path: ['loaded_context_length'], source: 'https://lmstudio.ai/docs/developer/rest/endpoints' },
  { path: ['max_context_length'], source: 'https://docs.mistral.ai/api/#tag/models' },
  { path: ['meta', 'n_ctx'], source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md' }, // oxfmt-ignore
  { path: ['meta', 'n_ctx_train'], source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md' }, // oxfmt-ignore
]
const longest = 1e9

/** The length in the entry of a model; null if it names none. */
function findContextLength(entry: unknown): number | null {
  for (const { path } of contextMembers) {
    const value = path.reduce<unknown>((from, name) => toMembers(from)[name], entry)
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= longest) return value
  }
  return null
}

/** The length that the endpoint names for this model; null if it names none, or has no list. */
export async function readContextLength(
  settings: ModelSettings,
  options: EndpointOptions,
): Promise<number | null> {
  const endpoint = openEndpoint(settings, options)
  if (!endpoint.ok) return null
  try {
    const { data } = await endpoint.client.models.list()
    const entry = data.find(({ id }) => id === settings.model) ?? (data.length === 1 ? data[0] : undefined)
    return findContextLength(entry)
  } catch {
    return null
  }
}
