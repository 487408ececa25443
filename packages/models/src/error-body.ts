/**
 * The repeatable part of an endpoint's error. A caller chooses the URL, so a raw body could be a page that
 * only this installation can reach. Only the error fields of OpenAI's API are repeated, short and
 * printable.
 */

/** An error body: the repeatable part, and the whole text, from which only the error's kind is derived. */
export interface SaidError {
  quote: string | null
  text: string
}

const longestQuote = 300
/** No more of an error is read. */
const longestBody = 65_536
const word = /^[A-Za-z0-9_.-]{1,64}$/

/** On one line, without characters that control a terminal or the direction of text. */
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim()
const cut = (text: string) => (text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text)

interface Fields {
  message?: unknown
  type?: unknown
  code?: unknown
}

/** The message of an error in OpenAI's form, with its code or type; null if it has none. */
export function quoteOf(error: unknown, hide: (text: string) => string = (text) => text): string | null {
  const { message, type, code } = (typeof error === 'object' && error !== null ? error : {}) as Fields
  if (typeof message !== 'string' || message.trim() === '') return null
  const kind = [code, type].find((one) => typeof one === 'string' && word.test(one))
  // Hidden first: of a key that is cut in two, nobody would know the halves.
  return `${cut(printable(hide(message)))}${kind === undefined ? '' : ` (${hide(String(kind))})`}`
}

/** {error: {message, type, code}}, and {object: 'error', message, …}, which vLLM has answered. */
function errorIn(text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  const { error, object } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: unknown
    object?: unknown
  }
  return error ?? (object === 'error' ? body : null)
}

/** Reads an error's body, up to a limit. */
export async function readError(
  body: ReadableStream<Uint8Array> | null,
  hide: (text: string) => string,
): Promise<SaidError> {
  const text = await beginningOf(body)
  return { quote: quoteOf(errorIn(text), hide), text }
}

async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body) {
    text += decoder.decode(part, { stream: true })
    if (text.length > longestBody) break
  }
  return text
}
