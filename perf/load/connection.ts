/**
 * A connection that sends prepared requests one at a time, and reads no more of an answer than its status and
 * length: the sender shares the cores with what is measured.
 */
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  /** Whether it says when to come back. */
  retryAfter: boolean
  body: string
}

export class Connection {
  readonly #socket: Socket
  #parts: Buffer[] = []
  #settle: ((answer: Answer | null) => void) | undefined
  closed = false

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (data) => this.#read(data))
    this.#socket.on('error', () => this.#end())
    this.#socket.on('close', () => this.#end())
  }

  /** The answer; null where the connection broke. */
  send(request: Buffer): Promise<Answer | null> {
    if (this.closed) return Promise.resolve(null)
    const { promise, resolve } = Promise.withResolvers<Answer | null>()
    this.#settle = resolve
    this.#socket.write(request)
    return promise
  }

  close() {
    this.#socket.destroy()
  }

  #read(data: Buffer) {
    this.#parts.push(data)
    const text = (this.#parts.length === 1 ? data : Buffer.concat(this.#parts)).toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = text.slice(0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    this.#parts = []
    const settle = this.#settle
    this.#settle = undefined
    settle?.({
      status: Number(text.slice(9, 12)),
      retryAfter: /\r\nretry-after: \d/i.test(head),
      body: text.slice(end + 4),
    })
  }

  #end() {
    this.closed = true
    this.#settle?.(null)
    this.#settle = undefined
  }
}

/** A request as bytes. */
export function requestBytes(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: '127.0.0.1',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}
