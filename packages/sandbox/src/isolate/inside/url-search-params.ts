/** URLSearchParams as the URL standard defines it (application/x-www-form-urlencoded, section 5). */

const decode = (text: string) => decodeUtf8(text.replace(/\+/g, ' '))

/** Percent-decodes; what is no UTF-8 becomes U+FFFD, as the standard’s decoder has it. */
function decodeUtf8(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return malformed(run)
    }
  })
}
/** Takes the longest valid pieces of a run of percent-encoded bytes. */
function malformed(run: string): string {
  let text = ''
  for (let at = 0; at < run.length;) {
    const size = [3, 6, 9, 12].find((size) => at + size <= run.length && isCharacter(run.slice(at, at + size)))
    text += size === undefined ? '\ufffd' : decodeURIComponent(run.slice(at, at + size))
    at += size ?? 3
  }
  return text
}
function isCharacter(run: string): boolean {
  try {
    return decodeURIComponent(run) !== ''
  } catch {
    return false
  }
}

const encode = (text: string) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/%20/g, '+')
    .replace(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

type Pair = [string, string]

export class URLSearchParams {
  #pairs: Pair[] = []
  #changed: (() => void) | undefined
  constructor(init: unknown = undefined) {
    if (init === undefined || init === null) return
    if (typeof init === 'object' || typeof init === 'function') this.#pairs = fromObject(init)
    else this.#parse(`${init as string}`.toWellFormed())
  }
  /** For a URL: parameters that tell of every change. */
  static of(query: string, changed: () => void): URLSearchParams {
    const made = new URLSearchParams(query)
    made.#changed = changed
    return made
  }
  #parse(text: string) {
    for (const part of text.replace(/^\?/, '').split('&')) {
      if (part === '') continue
      const at = part.indexOf('=')
      this.#pairs.push(at === -1 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))])
    }
  }
  #set(pairs: Pair[]) {
    this.#pairs = pairs
    this.#changed?.()
  }
  append(name: unknown, value: unknown) {
    this.#set([...this.#pairs, [text(name), text(value)]])
  }
  delete(name: unknown, value?: unknown) {
    this.#set(this.#pairs.filter(([key, held]) => key !== text(name) || (value !== undefined && held !== text(value))))
  }
  get(name: unknown): string | null {
    return this.#pairs.find(([key]) => key === text(name))?.[1] ?? null
  }
  getAll(name: unknown): string[] {
    return this.#pairs.filter(([key]) => key === text(name)).map(([, value]) => value)
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some(([key, held]) => key === text(name) && (value === undefined || held === text(value)))
  }
  set(name: unknown, value: unknown) {
    const at = this.#pairs.findIndex(([key]) => key === text(name))
    if (at === -1) return this.append(name, value)
    this.#set(this.#pairs.flatMap((pair, n): Pair[] => (n === at ? [[pair[0], text(value)]] : pair[0] === text(name) ? [] : [pair])))
  }
  /** By code units of the names; pairs of one name keep their order. */
  sort() {
    this.#set([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  }
  forEach(callback: (value: string, name: string, all: URLSearchParams) => void, self?: unknown) {
    for (const [name, value] of this.#pairs) callback.call(self, value, name, this)
  }
  *entries(): Generator<Pair> {
    for (const [name, value] of this.#pairs) yield [name, value]
  }
  *keys() {
    for (const [name] of this.#pairs) yield name
  }
  *values() {
    for (const [, value] of this.#pairs) yield value
  }
  get size() {
    return this.#pairs.length
  }
  toString() {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  }
  [Symbol.iterator]() {
    return this.entries()
  }
  get [Symbol.toStringTag]() {
    return 'URLSearchParams'
  }
}

const text = (value: unknown) => `${value as string}`.toWellFormed()

function fromObject(init: object): Pair[] {
  if (Symbol.iterator in init)
    return [...(init as Iterable<Iterable<unknown>>)].map((pair) => {
      const [name, value, ...more] = [...pair]
      if (value === undefined || more.length > 0) throw new TypeError('Each query pair must be an iterable [name, value] tuple')
      return [text(name), text(value)]
    })
  return Reflect.ownKeys(init)
    .filter((key): key is string => typeof key === 'string' && Object.prototype.propertyIsEnumerable.call(init, key))
    .map((key) => [text(key), text((init as Record<string, unknown>)[key])])
}
