/** URL: the runner’s parser splits URLs, so both agree in every edge case. */
import { bail, host } from './host.ts'
import { listen, URLSearchParams } from './url-search-params.ts'

/** In the order in which Node’s are enumerated. */
const parts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const
type Part = (typeof parts)[number]
type Parts = Record<Part, string>

const { parse: parseJson } = JSON
/** A longer one is what only a process parses: its parts go through the door again and again. */
const longest = 1 << 16
const ask = (url: string, base?: string, part?: string, value?: string) => {
  if (url.length + (base?.length ?? 0) + (value?.length ?? 0) > longest) bail('a long URL')
  const partsJson = host('url', url, base, part, value)
  return partsJson === undefined ? undefined : (parseJson(partsJson) as Parts)
}

function parse(url: string, base?: string): Parts {
  const urlParts = ask(url, base)
  if (urlParts !== undefined) return urlParts
  throw Object.assign(new TypeError('Invalid URL'), {
    code: 'ERR_INVALID_URL',
    input: url,
    ...(base !== undefined && { base }),
  })
}
/** What Node refuses, with words of its own, is left to it. */
const argumentsOf = (args: ArrayLike<unknown>) =>
  args.length === 0 ? bail('a URL of nothing') : (args as unknown[])
const text = (value: unknown) => (typeof value === 'symbol' ? bail('a symbol as text') : `${value as string}`)
const optional = (value: unknown) => (value === undefined ? undefined : text(value))

let partOf: (url: URL, name: Part) => string
let setPart: (url: URL, name: Part, value: string) => void

// Nothing in the class names the class: the bundler would rename it, and errors tell its name.
export class URL {
  #parts: Parts
  #params: URLSearchParams | undefined
  constructor(...args: [unknown, unknown?]) {
    const [url, base] = argumentsOf(args)
    this.#parts = parse(text(url), optional(base))
  }
  toString() {
    return this.#parts.href
  }
  get searchParams() {
    if (this.#params) return this.#params
    this.#params = new URLSearchParams(this.#parts.search)
    listen(this.#params, (query) => {
      this.#parts = ask(this.#parts.href, undefined, 'search', query)!
    })
    return this.#params
  }
  toJSON() {
    return this.#parts.href
  }
  static {
    partOf = (url, name) => url.#parts[name]
    setPart = (url, name, value) => {
      const newParts = ask(url.#parts.href, undefined, name, value)
      if (newParts === undefined) bail(`setting URL.${name}`)
      url.#parts = newParts
      // The parameters would have to follow.
      if (url.#params && (name === 'href' || name === 'search')) bail(`setting URL.${name}`)
    }
  }
}
const { prototype } = URL
const method = (value: unknown) => ({ value, writable: true, enumerable: true, configurable: true })
Object.defineProperties(URL, {
  length: { value: 1, configurable: true },
  parse: method(function parse(...args: unknown[]) {
    const [url, base] = argumentsOf(args)
    return ask(text(url), optional(base)) === undefined ? null : new URL(url, base)
  }),
  canParse: method(function canParse(...args: unknown[]) {
    const [url, base] = argumentsOf(args)
    return ask(text(url), optional(base)) !== undefined
  }),
  createObjectURL: method(() => bail('URL.createObjectURL')),
  revokeObjectURL: method(() => bail('URL.revokeObjectURL')),
})

/** In Node’s order, and enumerable as there: a loop over a URL sees them. */
const descriptors = Object.getOwnPropertyDescriptors(prototype) as Record<string, PropertyDescriptor>
const accessor = (name: Part): PropertyDescriptor => ({
  get(this: URL) {
    return partOf(this, name)
  },
  ...(name !== 'origin' && {
    set(this: URL, value: unknown) {
      setPart(this, name, text(value))
    },
  }),
})
for (const name of ['toString', ...parts.slice(0, 10), 'searchParams', 'hash', 'toJSON']) {
  const descriptor = descriptors[name] ?? accessor(name as Part)
  Reflect.deleteProperty(prototype, name)
  Object.defineProperty(prototype, name, { ...descriptor, enumerable: true, configurable: true })
}
Object.defineProperty(prototype, Symbol.toStringTag, { value: 'URL', configurable: true })
