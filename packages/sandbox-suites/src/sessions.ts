/** Sessions in memory, answered as the session service answers them; see scenarios/session-service. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { toJson, type JsonValue } from '@stateeval/contracts'

interface SessionItem {
  source: string
  type: string
  data: JsonValue
}
interface Session extends SessionItem {
  id: string
}

export class Sessions {
  readonly #seed: string
  readonly items: Session[]
  readonly ids: { initial: string[]; created: string[] }
  readonly gone: { id: string; last: JsonValue }[] = []
  constructor(initial: readonly SessionItem[]) {
    this.#seed = JSON.stringify(initial)
    this.items = initial.map((item, n) => ({ id: this.#id('initial', n), ...item }))
    this.ids = { initial: this.items.map(({ id }) => id), created: [] }
  }
  #id = (kind: string, n: number) =>
    createHash('sha256').update(`${this.#seed}/${kind}/${n}`).digest('hex').slice(0, 24)

  /** Status and body, or undefined where the path is none of the service's. */
  answer(method: string, { pathname, searchParams }: URL, body: string): [number, JsonValue?] | undefined {
    const [, , , source, type, id, more] = pathname.split('/').map(decodeURIComponent)
    if (source === undefined || type === undefined) return undefined
    const here = this.items.filter((item) => item.source === source && item.type === type)
    if (method === 'POST' && id === undefined)
      return [200, { id: this.#add(source, type, JSON.parse(body) as JsonValue) }]
    if (method === 'POST' && id === 'query' && more === 'fetch') {
      const conditions = Object.entries(JSON.parse(body) as Record<string, JsonValue>)
      return [
        200,
        toJson(
          here.filter((item) => conditions.every(([field, value]) => has(item, field.split('.'), value))),
        ),
      ]
    }
    if (method === 'GET' && id === undefined) return [200, toJson(here)]
    if (method === 'GET' && id === 'query') {
      const field = searchParams.get('field') ?? ''
      const value = searchParams.get('value')
      return [200, toJson(here.filter((item) => has(item, field.split('.'), value, String)))]
    }
    const item = here.find((one) => one.id === id)
    if (!item) return [404, { status: 404, error: 'Not Found', path: pathname }]
    if (method === 'GET') return [200, toJson(item)]
    if (method === 'PUT') {
      item.data = JSON.parse(body) as JsonValue
      return [200]
    }
    if (method !== 'DELETE') return [405, { status: 405, error: 'Method Not Allowed', path: pathname }]
    this.items.splice(this.items.indexOf(item), 1)
    const { source: from, type: kind, data } = item
    this.gone.push({ id: item.id, last: { source: from, type: kind, data } })
    return [200]
  }
  #add(source: string, type: string, data: JsonValue): string {
    const same = this.items.find(
      (item) => item.source === source && item.type === type && isDeepStrictEqual(item.data, data),
    )
    if (same) return same.id
    const id = this.#id('created', this.ids.created.length)
    this.ids.created.push(id)
    this.items.push({ id, source, type, data })
    return id
  }
}

function has(
  value: unknown,
  keys: readonly string[],
  expected: unknown,
  as: (value: unknown) => unknown = (value) => value,
): boolean {
  const [key, ...rest] = keys
  if (key === undefined)
    return as(value) === expected || (Array.isArray(value) && value.some((one) => as(one) === expected))
  if (Array.isArray(value)) return value.some((one) => has(one, keys, expected, as))
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? has((value as Record<string, unknown>)[key], rest, expected, as)
    : false
}
