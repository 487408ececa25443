/**
 * A request to a live API in the form of a question to a model, so it is stored, recorded, paced and
 * retried like one.
 */
import { canonicalJson, type JsonValue, type LiveRequest } from '@stateeval/contracts'
import type { ModelQuestion } from '../asking/question.ts'
import type { NamedModel } from '../request.ts'

/**
 * A live API in the form of a model. Its address is in the settings of the asking service, never in a key
 * or recording.
 */
export const createLiveModel = (api: string): NamedModel => ({
  name: api,
  settings: { baseUrl: 'http://live.invalid', model: api },
})

/** Equal requests are one question, for any order of their query and of their body's members. */
export const buildLiveQuestion = (
  { query = {}, ...request }: LiveRequest,
  attempt?: number,
): ModelQuestion => ({
  model: createLiveModel(request.api),
  messages: [
    {
      role: 'user',
      content: canonicalJson({ ...request, ...(Object.keys(query).length > 0 && { query }) }),
    },
  ],
  ...(attempt !== undefined && { attempt }),
})

/** The request in a question's message. */
export const parseLiveRequest = (content: string) => JSON.parse(content) as LiveRequest

const longestLine = 200

/** The request in one line, for people: `GET /tides?latitude=54.5 of weather`. */
export function formatLiveRequest({ api, method, path, query = {} }: LiveRequest): string {
  const search = new URLSearchParams(query).toString()
  const line = `${method} ${path}${search && `?${search}`}`
  return `${line.length > longestLine ? `${line.slice(0, longestLine)}…` : line} of ${api}`
}

interface LiveResponse {
  status: number
  body: string
}
export const formatLiveResponse = (response: LiveResponse): string => JSON.stringify(response)

/** The response in a stored answer; null if a recording contains something else. */
export function parseLiveResponse(text: string): LiveResponse | null {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return null
  }
  const { status, body } = (value ?? {}) as Partial<LiveResponse>
  return typeof status === 'number' && typeof body === 'string' ? { status, body } : null
}
