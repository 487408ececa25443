/** URLSearchParams as the URL standard defines it (application/x-www-form-urlencoded, section 5). */
/* eslint-disable prefer-rest-params -- with rest parameters, the methods' lengths would not be Node's */
import { bail } from './host.ts'

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
    const size = [3, 6, 9, 12].find(
      (size) => at + size <= run.length && isCharacter(run.slice(at, at + size)),
    )
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

const text = (value: unknown) =>
  (typeof value === 'symbol' ? bail('a symbol as text') : `${value as string}`).toWellFormed()
/** What Node refuses, with words of its own, is left to it. */
const needs = (args: ArrayLike<unknown>, count: number) =>
  void (args.length < count && bail('URLSearchParams with too few arguments'))

let pairsOf: (params: URLSearchParams) => readonly Pair[]
/** For a URL: reports the query after every change. */
export let listen: (params: URLSearchParams, changed: (query: string) => void) => void

// Nothing in the class names the class: the bundler would rename it, and errors tell its name.
export class URLSearchParams {
  #pairs: Pair[] = []
  #changed: ((query: string) => void) | undefined
  constructor(init: unknown = undefined) {
    if (init === undefined) return
    if ((typeof init === 'object' && init !== null) || typeof init === 'function')
      this.#pairs = fromObject(init)
    else this.#pairs = parsed(text(init))
  }
  static {
    pairsOf = (params) => params.#pairs
    listen = (params, changed) => {
      params.#changed = changed
    }
  }
  #set(pairs: Pair[]) {
    this.#pairs = pairs
    this.#changed?.(serialize(pairs))
  }
  get size() {
    return this.#pairs.length
  }
  append(name: unknown, value: unknown) {
    needs(arguments, 2)
    this.#set([...this.#pairs, [text(name), text(value)]])
  }
  delete(name: unknown, value: unknown = undefined) {
    needs(arguments, 1)
    const [key, wantedValue] = [text(name), value === undefined ? undefined : text(value)]
    this.#set(
      this.#pairs.filter((pair) => pair[0] !== key || (wantedValue !== undefined && pair[1] !== wantedValue)),
    )
  }
  get(name: unknown): string | null {
    needs(arguments, 1)
    const key = text(name)
    return this.#pairs.find((pair) => pair[0] === key)?.[1] ?? null
  }
  getAll(name: unknown): string[] {
    needs(arguments, 1)
    const key = text(name)
    return this.#pairs.filter((pair) => pair[0] === key).map((pair) => pair[1])
  }
  has(name: unknown, value: unknown = undefined): boolean {
    needs(arguments, 1)
    const [key, wantedValue] = [text(name), value === undefined ? undefined : text(value)]
    return this.#pairs.some(
      (pair) => pair[0] === key && (wantedValue === undefined || pair[1] === wantedValue),
    )
  }
  set(name: unknown, value: unknown) {
    needs(arguments, 2)
    const [key, newValue] = [text(name), text(value)]
    const at = this.#pairs.findIndex((pair) => pair[0] === key)
    if (at === -1) return this.#set([...this.#pairs, [key, newValue]])
    this.#set(
      this.#pairs.flatMap((pair, n): Pair[] =>
        n === at ? [[key, newValue]] : pair[0] === key ? [] : [pair],
      ),
    )
  }
  /** By code units of the names; pairs of one name keep their order. */
  sort() {
    this.#set([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  }
  entries() {
    return new Pairs(this, (pair) => [...pair])
  }
  forEach(callback: (value: string, name: string, all: URLSearchParams) => void, self: unknown = undefined) {
    if (typeof callback !== 'function') bail('forEach without a function')
    for (let n = 0; n < this.#pairs.length; n++)
      callback.call(self, this.#pairs[n]![1], this.#pairs[n]![0], this)
  }
  keys() {
    return new Pairs(this, (pair) => pair[0])
  }
  values() {
    return new Pairs(this, (pair) => pair[1])
  }
  toString() {
    return serialize(this.#pairs)
  }
}

/** Looks at the parameters as they are at each step, and is named as Node’s. */
class Pairs<T> {
  #at = 0
  readonly #params: URLSearchParams
  readonly #pick: (pair: Pair) => T
  constructor(params: URLSearchParams, pick: (pair: Pair) => T) {
    this.#params = params
    this.#pick = pick
  }
  next(): IteratorResult<T, undefined> {
    const pair = pairsOf(this.#params)[this.#at++]
    return pair ? { value: this.#pick(pair), done: false } : { value: undefined, done: true }
  }
}
Object.setPrototypeOf(
  Pairs.prototype,
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
)
Reflect.deleteProperty(Pairs.prototype, 'constructor')
Object.defineProperty(Pairs.prototype, 'next', { enumerable: true })
Object.defineProperty(Pairs.prototype, Symbol.toStringTag, {
  value: 'URLSearchParams Iterator',
  configurable: true,
})

const { prototype } = URLSearchParams
const descriptors = Object.getOwnPropertyDescriptors(prototype) as Record<string, PropertyDescriptor>
for (const [name, descriptor] of Object.entries(descriptors))
  if (name !== 'constructor') Object.defineProperty(prototype, name, { ...descriptor, enumerable: true })
Object.defineProperty(prototype, Symbol.iterator, {
  value: descriptors['entries']!.value as unknown,
  writable: true,
  configurable: true,
})
Object.defineProperty(prototype, Symbol.toStringTag, { value: 'URLSearchParams', configurable: true })

const serialize = (pairs: readonly Pair[]) =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')

function parsed(query: string): Pair[] {
  const pairs: Pair[] = []
  for (const part of query.replace(/^\?/, '').split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    pairs.push(at === -1 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))])
  }
  return pairs
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
function fromObject(init: object): Pair[] {
  const iterator: unknown = (init as { [Symbol.iterator]?: unknown })[Symbol.iterator]
  if (iterator !== undefined && iterator !== null) {
    if (typeof iterator !== 'function') return bail('odd pairs')
    return [...(init as Iterable<unknown>)].map((pair): Pair => {
      if (!isObject(pair) || typeof (pair as { [Symbol.iterator]?: unknown })[Symbol.iterator] !== 'function')
        return bail('odd pairs')
      const members = [...(pair as Iterable<unknown>)]
      return members.length === 2 ? [text(members[0]), text(members[1])] : bail('odd pairs')
    })
  }
  const pairs = new Map<string, string>()
  for (const key of Reflect.ownKeys(init))
    if (Object.prototype.propertyIsEnumerable.call(init, key))
      pairs.set(text(key), text((init as Record<PropertyKey, unknown>)[key]))
  return [...pairs]
}
