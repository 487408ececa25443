/** http.request: the runner sends it with Node’s client. Anything but an ordinary response bails out. */
import { bail, host, requireIntact } from '../host.ts'
import { setTimeout, clearTimeout } from '../timers.ts'
import { Buffer } from './buffer.ts'
import { EventEmitter } from './events.ts'

/** The options of axios that the runner needs. */
export interface SentRequest {
  method: string
  path: string
  hostname: string
  port: string
  headers: Record<string, unknown>
  auth?: string
  insecureHTTPParser?: boolean
}
export interface Answer {
  status: number
  statusText: string
  headers: Record<string, string | string[]>
  body: string
  bytes: number
}

class Response extends EventEmitter {
  destroyed = false
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: Answer['headers']
  readonly req: unknown
  constructor({ status, statusText, headers }: Answer, req: unknown) {
    super()
    this.statusCode = status
    this.statusMessage = statusText
    this.headers = headers
    this.req = req
  }
  destroy() {
    this.destroyed = true
  }
}

class Request extends EventEmitter {
  destroyed = false
  readonly #options: SentRequest
  readonly #id = ++requests
  #body: Buffer | undefined
  #timer: unknown
  constructor(options: SentRequest) {
    super()
    this.#options = options
  }
  setTimeout(ms: number, callback?: () => void) {
    if (ms > 0 && callback) this.#timer = setTimeout(callback, ms)
    return this
  }
  write(body: Buffer) {
    this.#body = body
  }
  end() {
    requireIntact()
    const { method, path, hostname, port, headers, auth, insecureHTTPParser } = this.#options
    waiting.set(this.#id, (answer) => this.#answered(answer))
    const head = JSON.stringify({ method, path, hostname, port, headers, auth, insecureHTTPParser })
    // What is sent is copied on its way: a process of its own counts it as the program's memory.
    if (head.length > maxHead || (this.#body?.length ?? 0) > maxBody) bail('a large request')
    host('request', this.#id, head, this.#body?.toString())
  }
  /** Aborted requests show in timings and on the wire: a process does it as Node does. */
  destroy() {
    bail('an aborted request')
  }
  #answered(answer: Answer) {
    clearTimeout(this.#timer)
    const response = new Response(answer, outside(this))
    this.emit('response', response)
    if (answer.bytes > 0) response.emit('data', new Buffer(answer.body, answer.bytes))
    response.emit('end')
    this.emit('close')
  }
}

const maxHead = 1 << 16
const maxBody = 1 << 20
let requests = 0
const waiting = new Map<number, (answer: Answer) => void>()

/** Called by the runner with the response to a request. */
export function answer(id: number, text: string) {
  requireIntact()
  const deliver = waiting.get(id)
  waiting.delete(id)
  deliver?.(JSON.parse(text) as Answer)
}

const inner = new Set<PropertyKey>([
  'destroyed',
  'on',
  'once',
  'emit',
  'setTimeout',
  'write',
  'end',
  'destroy',
  'close',
])
/** The request as candidates get it in a response or an error: looking into it needs the real one. */
const outside = (request: Request) =>
  new Proxy(request, {
    get: (target, key) => {
      if (!inner.has(key)) return bail(`looking into a request: ${String(key)}`)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
    ownKeys: () => bail('looking into a request'),
    getOwnPropertyDescriptor: () => bail('looking into a request'),
    has: (target, key) => (inner.has(key) ? Reflect.has(target, key) : bail('looking into a request')),
  })

export function request(options: SentRequest, respond: (response: Response) => void): Request {
  const newRequest = new Request(options)
  newRequest.once('response', (response) => respond(response as Response))
  return outside(newRequest)
}
export default { request }
