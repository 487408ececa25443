/**
 * Reads an endpoint's error: its text and its machine-readable codes. A caller chooses the URL, so a body
 * could be a page that only this installation can reach. Therefore it repeats only text from where errors
 * have theirs: short, on one line, without the key. For a page, that is its title; for other text, a single
 * short line.
 */

/** An error as far as it is read. */
export interface SaidError {
  /** The part that may be repeated; null if there is none. */
  quote: string | null
  /** The beginning of the body. Only the error's kind is derived from it. */
  text: string
  /** Codes, types and statuses, the outermost first. */
  codes: readonly string[]
  /** True if it reports that a moderation found something in the prompt. */
  moderated?: true
  /** When to ask again, in the form of Retry-After. */
  after?: string
  /** The model's text, if the endpoint could not read that. */
  wrote?: string
}

const longestQuote = 300
const longestTitle = 100
/** No more of an error is read. */
const longestBody = 65_536
const word = /^[A-Za-z0-9_.-]{1,64}$/

/** On one line, without characters that control a terminal or the direction of text. */
const toPrintable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim()
const cutQuote = (text: string) => (text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text)

/**
 * Members with the text of an error, the usual places first: OpenAI's form, a list of it (Google),
 * `detail` (FastAPI), `errors` (Cloudflare), `message` alone (AWS, Cohere), `error` as text (TGI, Ollama),
 * `msg` (Chinese gateways), `raw` (what OpenRouter received), `title` (RFC 9457).
 */
const textMembers = [
  'message',
  'error',
  'errors',
  'detail',
  'details',
  'msg',
  'error_msg',
  'error_message',
  'error_description',
  'Message',
  'description',
  'title',
]
/** Members with its codes. */
const codeMembers = [
  'code',
  'type',
  'status',
  'reason',
  'error',
  'error_type',
  'error_code',
  'errorCode',
  '__type',
  'Code',
]
const deepest = 6
/** Values that are looked at. */
const maxValues = 500

/** Walks through what may be an error, the outermost values first, into JSON within texts, too. */
function* walkMembers(value: unknown): Generator<[name: string, value: unknown]> {
  let level: unknown[] = [value]
  let left = maxValues
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      for (const [name, inner] of Object.entries(one)) {
        if (left-- <= 0) return
        yield [Array.isArray(one) ? '' : name, inner]
        next.push(parseTextValue(inner))
      }
    }
    level = next
  }
}

/** The JSON in a text, such as an error that a gateway passes on; any other value itself. */
function parseTextValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || value.length > longestBody) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** The text of an error, wherever it stands; null if there is none. */
function findErrorText(value: unknown, depth = 0): string | null {
  const inner = parseTextValue(value)
  if (typeof inner === 'string') return inner.trim() === '' ? null : inner
  if (typeof inner !== 'object' || inner === null || depth > deepest) return null
  if (Array.isArray(inner)) {
    const texts = inner.slice(0, 3).flatMap((one) => findErrorText(one, depth + 1) ?? [])
    return texts.length > 0 ? texts.join('; ') : null
  }
  const members = inner as Record<string, unknown>
  const said = textMembers.map((name) => findErrorText(members[name], depth + 1)).find((one) => one !== null)
  // OpenRouter: "Provider returned error", with the provider's error beside it.
  const raw =
    depth < deepest ? findErrorText((members['metadata'] as { raw?: unknown } | null)?.raw, depth + 1) : null
  return said !== undefined && raw !== null && raw !== said ? `${said}: ${raw}` : (said ?? raw)
}

/** An error that came as JSON. */
export function readErrorText(value: unknown, hide: (text: string) => string, text = ''): SaidError {
  const named: { name: string; code: string }[] = []
  const found: Pick<SaidError, 'moderated' | 'after' | 'wrote'> = {}
  for (const [name, one] of walkMembers(value)) {
    const code = typeof one === 'string' || Number.isInteger(one) ? String(one) : ''
    if (codeMembers.includes(name) && word.test(code)) named.push({ name, code })
    if (name === 'flagged_input' || name === 'content_filter_result') found.moderated = true
    if (name === 'retryDelay' || name === 'retry_after' || name === 'X-RateLimit-Reset')
      found.after ??= String(one)
    if (name === 'failed_generation' && typeof one === 'string') found.wrote ??= hide(one)
  }
  const said = findErrorText(value)
  const kinds = named.filter(({ code }) => !/^\d+$/.test(code) && code !== 'error' && code !== said)
  const kind = (kinds.find(({ name }) => name === 'code') ?? kinds[0])?.code
  return {
    // Hidden first: of a key that is cut in two, nobody would know the halves.
    quote:
      said === null
        ? null
        : `${cutQuote(toPrintable(hide(said)))}${kind === undefined ? '' : ` (${hide(kind)})`}`,
    text: text === '' ? JSON.stringify(value ?? null).slice(0, longestBody) : text,
    codes: named.map(({ code }) => code),
    ...found,
  }
}

/** An error that is no JSON: the title of a page, or one short line. */
function readErrorLine(text: string): string | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('<'))
    return trimmed.length <= longestQuote && !/[\r\n{]/.test(trimmed) ? trimmed : null
  const from = trimmed.search(/<title[ >]/i)
  if (from < 0) return null
  const [title = ''] = trimmed.slice(trimmed.indexOf('>', from) + 1).split('<', 1)
  return `a page: ${title.trim().slice(0, longestTitle)}`
}

/** Reads an error's body, up to a limit. */
export async function readError(
  body: ReadableStream<Uint8Array> | null,
  hide: (text: string) => string,
): Promise<SaidError> {
  const text = await readBodyBeginning(body)
  const value = parseTextValue(text)
  if (typeof value === 'object') return readErrorText(value, hide, text)
  const line = readErrorLine(text)
  return { quote: line === null || line === '' ? null : toPrintable(hide(line)), text, codes: [] }
}

async function readBodyBeginning(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body) {
    text += decoder.decode(part, { stream: true })
    // As much as is read of any body, however large its parts are: one character shows that there is more.
    if (text.length > longestBody) return text.slice(0, longestBody + 1)
  }
  return text + decoder.decode()
}
