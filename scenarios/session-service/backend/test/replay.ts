/** Sends exchanges in order and says what differs; ids and times stand as tokens. */
import { request } from 'node:http'

export interface Exchange {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
  status: number
  allow?: string
  /** The answer's text with <tokens>; undefined is an empty body. */
  answer?: string
}
export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/**
 * A request over a real connection, with the path as it is written: no client library that mends it first.
 */
export function send(
  port: number,
  { method, path, headers, body }: Pick<Exchange, 'method' | 'path' | 'headers' | 'body'>,
): Promise<Answer> {
  const type =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, agent: false, headers: { ...type, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    sent.once('error', reject)
    sent.setTimeout(10_000, () => sent.destroy(new Error(`no answer in 10 s: ${method} ${path}`)))
    sent.end(body)
  })
}

const time = /"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00"/

/** Remembers which id each token stands for; no id may stand for two tokens. */
export class Tokens {
  readonly #ids = new Map<string, string>()
  fill = (text: string) => text.replace(/<[a-z]+\d*>/g, (token) => this.#ids.get(token) ?? token)
  /** Learns the token of an id that was just given out. */
  learn(expected: string | undefined, body: string) {
    const token = /^\{"id":"(<[a-z]+\d*>)"\}$/.exec(expected ?? '')?.[1]
    const id = /^\{"id":"([0-9a-f]{24})"\}$/.exec(body)?.[1]
    if (token && id && !this.#ids.has(token) && ![...this.#ids.values()].includes(id))
      this.#ids.set(token, id)
  }
}

/** What differs between the answer and the exchange; empty where nothing does. */
export async function replay(port: number, exchange: Exchange, tokens: Tokens): Promise<string[]> {
  const path = tokens.fill(exchange.path)
  const got = await send(port, {
    ...exchange,
    path,
    ...(exchange.body === undefined ? {} : { body: tokens.fill(exchange.body) }),
  })
  tokens.learn(exchange.answer, got.body)
  const differences: string[] = []
  const check = (what: string, expected: unknown, actual: unknown) => {
    if (expected !== actual) differences.push(`${what}: expected ${String(expected)}, got ${String(actual)}`)
  }
  check('status', exchange.status, got.status)
  check('Allow', exchange.allow, got.headers['allow'])
  check('body', tokens.fill(exchange.answer ?? ''), got.body.replace(time, '"timestamp":"<timestamp>"'))
  if (exchange.answer) check('Content-Type', 'application/json', got.headers['content-type'])
  return differences
}
