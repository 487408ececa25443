/**
 * A request to a live API in the form of a question to a model: so it is kept, recorded, paced and retried
 * like one.
 */
import type { Json, LiveRequest } from '@stateeval/contracts'
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

export const liveQuestion = (request: LiveRequest, attempt?: number): Question => ({
  model: liveModel(request.api),
  messages: [{ role: 'user', content: JSON.stringify(request) }],
  ...(attempt !== undefined && { attempt }),
})

/** The request that a question's message holds. */
export const requestIn = (content: string) => JSON.parse(content) as LiveRequest

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
