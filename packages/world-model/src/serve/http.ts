/** A modelled world behind an HTTP server: what such a server reads of a message, and what it writes. */
import type { ModelledWorld } from './modelled-world.ts'

export interface HttpMessage {
  method: string
  /** Path and query, as they were sent. */
  url: string
  /** The content type of the body. */
  type?: string | undefined
  text: string
}
/** An answer; its text is JSON. Undefined where the body is empty. */
export interface HttpReply {
  status: number
  text?: string
}

/** Answers a message, whatever it holds. Refusals have a body, so that clients can show one. */
export function answerMessage(world: ModelledWorld, { method, url, type, text }: HttpMessage): HttpReply {
  const at = URL.parse(url, 'http://localhost')
  if (!at) return formatReply(400)
  const media = type?.startsWith('application/x-www-form-urlencoded') ? 'form' : 'json'
  const { status, body } = world.answer({
    method,
    path: at.pathname,
    query: Object.fromEntries(at.searchParams),
    ...(text !== '' && { body: { text, media } }),
  })
  return formatReply(status, body)
}

export function formatReply(status: number, body?: unknown): HttpReply {
  const shown =
    body ?? (status >= 400 ? { error: `The request was refused with status ${status}.` } : undefined)
  return { status, ...(shown !== undefined && { text: JSON.stringify(shown) }) }
}
