/** URL: the runner’s own parser says what a URL is made of, so that both agree on every corner. */
import { bail, host } from './host.ts'
import { URLSearchParams } from './url-search-params.ts'

const parts = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const
type Part = (typeof parts)[number]
type Parts = Record<Part, string>

function parse(url: string, base?: string): Parts {
  const found = host('url', url, base)
  if (found !== undefined) return JSON.parse(found) as Parts
  throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: url, ...(base !== undefined && { base }) })
}

export class URL {
  #parts: Parts
  #params: URLSearchParams | undefined
  constructor(url: unknown, base?: unknown) {
    this.#parts = parse(String(url), base === undefined ? undefined : String(base))
  }
  static canParse(url: unknown, base?: unknown) {
    return host('url', String(url), base === undefined ? undefined : String(base)) !== undefined
  }
  static parse(url: unknown, base?: unknown) {
    return URL.canParse(url, base) ? new URL(url, base) : null
  }
  get searchParams() {
    return (this.#params ??= URLSearchParams.of(this.#parts.search, () => this.#query(this.#params!.toString())))
  }
  #query(query: string) {
    const { href, hash } = this.#parts
    const bare = href.slice(0, href.length - hash.length).replace(/\?.*$/s, '')
    this.#parts = parse(`${bare}${query === '' ? '' : `?${query}`}${hash}`)
  }
  static part = (url: URL, name: Part) => url.#parts[name]
  toString() {
    return this.#parts.href
  }
  toJSON() {
    return this.#parts.href
  }
}
const { part } = URL
Reflect.deleteProperty(URL, 'part')
for (const name of parts)
  Object.defineProperty(URL.prototype, name, {
    get(this: URL) {
      return part(this, name)
    },
    set: () => bail(`setting URL.${name}`),
    configurable: true,
    enumerable: true,
  })
