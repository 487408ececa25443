/**
 * A request to a live API in the form of a question to a model: so it is kept, recorded, paced and retried
 * like one.
 */
import { canonicalJson, type Json, type LiveRequest } from '@stateeval/contracts'
import type { Question } from '../asking/question.ts'
import type { NamedModel } from '../request.ts'

/**
 * A live API in a model's place. Where it really is stands in the settings of whoever asks it, and in no key
 * or recording.
 */
export const liveModel = (api: string): NamedModel => ({
  name: api,
  settings: { baseUrl: 'http://live.invalid', model: api },
})

/** Equal requests are one question, in whatever order their query and the members of their body stand. */
export const liveQuestion = ({ query = {}, ...request }: LiveRequest, attempt?: number): Question => ({
  model: liveModel(request.api),
  messages: [
    {
      role: 'user',
      content: canonicalJson({ ...request, ...(Object.keys(query).length > 0 && { query }) }),
    },
  ],
  ...(attempt !== undefined && { attempt }),
})

/** The request that a question's message holds. */
export const requestIn = (content: string) => JSON.parse(content) as LiveRequest

const longestLine = 200

/** The request in one line, for people: `GET /tides?latitude=54.5 of weather`. */
export function requestLine({ api, method, path, query = {} }: LiveRequest): string {
  const search = new URLSearchParams(query).toString()
  const line = `${method} ${path}${search && `?${search}`}`
  return `${line.length > longestLine ? `${line.slice(0, longestLine)}…` : line} of ${api}`
}

interface LiveResponse {
  status: number
  body: string
}
export const responseText = (response: LiveResponse): string => JSON.stringify(response)

/** The response that a kept answer holds; null where a recording holds something else. */
export function responseIn(text: string): LiveResponse | null {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return null
  }
  const { status, body } = (value ?? {}) as Partial<LiveResponse>
  return typeof status === 'number' && typeof body === 'string' ? { status, body } : null
}
