/**
 * Captures axios’s requests instead of sending them: an adapter that every instance uses, unless code
 * chooses another. It runs next to candidate code, so the builtins that it uses are saved before that code
 * starts.
 */
import type { CaptureReply } from '@stateeval/runtime'
import { unsafeJson } from '@stateeval/runtime/protocol'
import type { CapturedFile, CapturedPart, JsonValue } from '@stateeval/contracts'

/** The part of axios that is used here. */
export interface Axios {
  defaults: { adapter?: unknown }
  getUri(this: void, config: Record<string, unknown>): string
  AxiosError: new (
    message: string,
    code: string,
    config: unknown,
    request: unknown,
    response: unknown,
  ) => Error
}
interface RecorderJob {
  reply: CaptureReply
  /** How many requests may be made. */
  maxRequests: number
  /** How long the text of all of them may be. */
  bytes: number
}
interface Config extends Record<string, unknown> {
  validateStatus?: ((status: number) => boolean) | null
}
/** Members of a `form-data` package: for each part a head, a value and a foot. */
interface PackagedForm {
  _streams: unknown[]
}

const { stringify, parse } = JSON
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its value
const tagOf = Object.prototype.toString
const byteLength = Buffer.byteLength.bind(Buffer)
const partName = /\bname="([^"]*)"/
const partFile = /\bfilename="([^"]*)"/
const partType = /\bContent-Type:\s*([^\r\n]+)/i

export class Recorder {
  readonly #job: RecorderJob
  readonly #exceed: (what: 'requests' | 'oversize') => void
  readonly #answer: string | undefined
  #texts = ''
  #bytes = 0
  #count = 0
  constructor(job: RecorderJob, exceed: (what: 'requests' | 'oversize') => void) {
    this.#job = job
    this.#exceed = exceed
    this.#answer = stringify(job.reply.data)
  }

  /** From here on, what axios would send is recorded. */
  attach(axios: Axios) {
    axios.defaults.adapter = (config: Config) => this.#capture(axios, config)
  }
  /** Bytes recorded so far: RESULT may have the rest. */
  get bytes() {
    return this.#bytes
  }
  /** An outcome’s text with the requests in it. */
  added(outcome: string): string {
    return this.#count === 0 ? outcome : `${outcome.slice(0, -1)},"requests":[${this.#texts}]}`
  }
  /** The requests are too many or too long to be told. */
  #stop(what: 'requests' | 'oversize') {
    this.#texts = ''
    this.#count = 0
    this.#exceed(what)
  }

  /** From here on, requests of fetch are recorded and answered as those of axios. */
  attachFetch(scope: { fetch: unknown }) {
    scope.fetch = async (input: unknown, init?: RequestInit) => {
      this.#record(await describedFetch(input, init))
      const { status } = this.#job.reply
      const body = bodiless.has(status) ? null : (this.#answer ?? null)
      return new Response(body, { status, headers: { 'content-type': 'application/json' } })
    }
  }
  #record(request: object) {
    const { maxRequests, bytes } = this.#job
    const text = stringify(request)
    const unsafe = unsafeJson(parse(text) as JsonValue)
    if (unsafe !== undefined) throw new TypeError(`The request ${unsafe}`)
    if (this.#count >= maxRequests) this.#stop('requests')
    this.#bytes += byteLength(text) + 1
    if (this.#bytes > bytes) this.#stop('oversize')
    this.#texts += this.#count++ === 0 ? text : `,${text}`
  }

  async #capture(axios: Axios, config: Config): Promise<unknown> {
    const form = formOf(config['data'])
    const parts = form && partsOf(form)
    this.#record(described(axios, config, isPromise(parts) ? await parts : parts))
    const { status } = this.#job.reply
    const response = {
      status,
      data: this.#answer === undefined ? undefined : (parse(this.#answer) as unknown),
      headers: {},
      config,
      request: { responseURL: config['url'] },
    }
    if (!config.validateStatus || config.validateStatus(status)) return response
    const code = status >= 400 && status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE'
    throw new axios.AxiosError(
      `Request failed with status code ${status}`,
      code,
      config,
      response.request,
      response,
    )
  }
}

/** Responses of these may have no body. */
const bodiless = new Set([204, 205, 304])

/** A request of fetch in the form of axios's: what a server would see is the same. */
async function describedFetch(input: unknown, init: RequestInit | undefined) {
  const request = new Request(input as string, init)
  const { method, url } = request
  const form = formOf(init?.body)
  const text = form || request.body === null ? undefined : await request.text()
  return {
    method: method.toLowerCase(),
    url,
    uri: url,
    headers: Object.fromEntries(request.headers),
    ...(form ? { data: await partsOf(form), dataType: 'FormData' } : {}),
    ...(text === undefined ? {} : { data: text, dataType: 'string' }),
  }
}

function described(axios: Axios, config: Config, parts: CapturedPart[] | undefined) {
  const { method, url, baseURL, headers, params, paramsSerializer, data, auth } = config
  return {
    method,
    url: printable(url),
    baseURL: printable(baseURL),
    uri: uriOf(axios, config),
    headers,
    params,
    ...(params && paramsSerializer ? { serialized: true } : {}),
    ...(parts ? { data: parts, dataType: typeOfForm(data) } : body(data)),
    auth,
  }
}

/** A URL object is its text; nothing is an empty one. */
const printable = (url: unknown) => (url === undefined || url === null ? undefined : String(url))

function uriOf(
  axios: Axios,
  { url, baseURL, params, paramsSerializer, allowAbsoluteUrls }: Config,
): string | undefined {
  try {
    return axios.getUri({ url, baseURL, params, paramsSerializer, allowAbsoluteUrls })
  } catch {
    return undefined
  }
}

function body(data: unknown): { data?: unknown; dataType?: string } {
  if (data === undefined) return {}
  if (typeof data !== 'object' || data === null)
    return { data, dataType: data === null ? 'null' : typeof data }
  const tag = tagOf.call(data).slice(8, -1)
  return { data, dataType: tag === 'Object' ? 'object' : tag === 'Array' ? 'array' : tag }
}

/** Name, value and head of each part; undefined where the data is no form. */
type FormPart = { name: string; value: unknown; filename?: string | undefined; type?: string | undefined }
function formOf(data: unknown): FormPart[] | undefined {
  if (typeof data !== 'object' || data === null || tagOf.call(data) !== '[object FormData]') return undefined
  if (typeOfForm(data) === 'form-data')
    return (data as PackagedForm)._streams.flatMap((head, at, streams) => {
      if (at % 3 !== 0) return []
      const text = String(head)
      const of = (pattern: RegExp) => pattern.exec(text)?.[1]
      return [
        { name: of(partName) ?? '', value: streams[at + 1], filename: of(partFile), type: of(partType) },
      ]
    })
  return [...(data as FormData).entries()].map(([name, value]) =>
    typeof value === 'string' ? { name, value } : { name, value, filename: value.name, type: value.type },
  )
}
const typeOfForm = (data: unknown) =>
  Array.isArray((data as PackagedForm)._streams) ? 'form-data' : 'FormData'

/** Bytes of blobs and streams take their time; other forms are recorded in the order of their requests. */
function partsOf(form: readonly FormPart[]): CapturedPart[] | Promise<CapturedPart[]> {
  const parts = form.map(({ name, value, filename, type }): CapturedPart | Promise<CapturedPart> => {
    const bytes = bytesOf(value)
    if (bytes === undefined) return [name, printed(value)]
    const told = (content: Uint8Array): CapturedPart => [
      name,
      printed(value),
      { ...(filename && { filename }), ...(type && { type }), ...fileOf(content) },
    ]
    return isPromise(bytes) ? bytes.then(told) : told(bytes)
  })
  return parts.some(isPromise)
    ? Promise.all(parts.map((part) => Promise.resolve(part)))
    : (parts as CapturedPart[])
}
const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise

/** The source of a stream that form-data holds back until the form is sent. */
interface DelayedStream {
  source?: AsyncIterable<Uint8Array | string>
  resume(): void
}
/** undefined: the value is a text. */
function bytesOf(value: unknown): Uint8Array | Promise<Uint8Array> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof Uint8Array) return value
  if (value instanceof Blob) return value.arrayBuffer().then((buffer) => new Uint8Array(buffer))
  const source = (value as DelayedStream).source
  return source && typeof (value as DelayedStream).resume === 'function'
    ? allOf(value as unknown as NodeJS.ReadableStream)
    : undefined
}
async function allOf(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk: Uint8Array | string) => chunks.push(Buffer.from(chunk as Uint8Array)))
    stream.on('end', () => resolve(Buffer.concat(chunks)))
    stream.on('error', reject)
    stream.resume()
  })
}

/** Crypto is loaded when a program uploads the first file: others don't pay for it. */
function fileOf(bytes: Uint8Array): Pick<CapturedFile, 'size' | 'sha256'> {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
const printed = (value: unknown) =>
  typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('utf8') : tagOf.call(value)
