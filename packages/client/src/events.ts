/** Reads a stream of server-sent events. */
import { readPieces } from './pieces.ts'

export interface ServerEvent {
  event: string
  data: string
  id?: string
}

/**
 * Yields the events of one response until it ends or the signal aborts. Comments (heartbeats) are skipped.
 */
export async function* readServerEvents(
  url: string,
  {
    signal,
    headers = {},
    fetch: get = fetch,
  }: { signal?: AbortSignal; headers?: Record<string, string>; fetch?: typeof globalThis.fetch } = {},
): AsyncGenerator<ServerEvent> {
  const init: RequestInit = { headers: { accept: 'text/event-stream', ...headers } }
  if (signal) init.signal = signal
  const response = await get(url, init)
  if (!response.ok || !response.body) throw new Error(`no event stream at ${url}: HTTP ${response.status}`)
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of readPieces<Uint8Array>(response.body)) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse(block)
      if (event) yield event
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const event: ServerEvent = { event: 'message', data: '' }
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const at = line.indexOf(':')
    if (at <= 0) continue
    const value = line.slice(at + 1).replace(/^ /, '')
    const name = line.slice(0, at)
    if (name === 'data') data.push(value)
    else if (name === 'event') event.event = value
    else if (name === 'id') event.id = value
  }
  if (data.length === 0) return undefined
  event.data = data.join('\n')
  return event
}
