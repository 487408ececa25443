/**
 * Captures axios’s requests instead of sending them: an adapter that every instance uses, unless code
 * chooses another. It runs next to candidate code, so the builtins that it uses are saved before that code
 * starts.
 */
import type { CaptureReply } from '@stateeval/runtime'
import { findUnsafeJson } from '@stateeval/runtime/protocol'
import type { CapturedFile, CapturedPart, JsonValue } from '@stateeval/contracts'

/** The part of axios that is used here. */
export interface AxiosParts {
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
interface RequestConfig extends Record<string, unknown> {
  validateStatus?: ((status: number) => boolean) | null
}
/** Members of a form from the `form-data` package: for each part a head, a value and a foot. */
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

export class RequestRecorder {
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
  attach(axios: AxiosParts) {
    axios.defaults.adapter = (config: RequestConfig) => this.#capture(axios, config)
  }
  /** Bytes recorded so far: RESULT may have the rest. */
  get bytes() {
    return this.#bytes
  }
  /** An outcome’s text with the requests in it. */
  added(outcome: string): string {
    return this.#count === 0 ? outcome : `${outcome.slice(0, -1)},"requests":[${this.#texts}]}`
  }
  /** The requests are too many or too long to be reported. */
  #stop(what: 'requests' | 'oversize') {
    this.#texts = ''
    this.#count = 0
    this.#exceed(what)
  }

  /** From here on, requests of fetch are recorded and answered as those of axios. */
  attachFetch(scope: { fetch: unknown }) {
    scope.fetch = async (input: unknown, init?: RequestInit) => {
      this.#record(await describeFetch(input, init))
      const { status } = this.#job.reply
      const body = bodiless.has(status) ? null : (this.#answer ?? null)
      return new Response(body, { status, headers: { 'content-type': 'application/json' } })
    }
  }
  #record(request: object) {
    const { maxRequests, bytes } = this.#job
    const text = stringify(request)
    const unsafe = findUnsafeJson(parse(text) as JsonValue)
    if (unsafe !== undefined) throw new TypeError(`The request ${unsafe}`)
    if (this.#count >= maxRequests) this.#stop('requests')
    this.#bytes += byteLength(text) + 1
    if (this.#bytes > bytes) this.#stop('oversize')
    this.#texts += this.#count++ === 0 ? text : `,${text}`
  }

  async #capture(axios: AxiosParts, config: RequestConfig): Promise<unknown> {
    const form = listFormParts(config['data'])
    const parts = form && readFormParts(form)
    this.#record(describeRequest(axios, config, isPromise(parts) ? await parts : parts))
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
async function describeFetch(input: unknown, init: RequestInit | undefined) {
  const request = new Request(input as string, init)
  const { method, url } = request
  const form = listFormParts(init?.body)
  const text = form || request.body === null ? undefined : await request.text()
  return {
    method: method.toLowerCase(),
    url,
    uri: url,
    headers: Object.fromEntries(request.headers),
    ...(form ? { data: await readFormParts(form), dataType: 'FormData' } : {}),
    ...(text === undefined ? {} : { data: text, dataType: 'string' }),
  }
}

function describeRequest(axios: AxiosParts, config: RequestConfig, parts: CapturedPart[] | undefined) {
  const { method, url, baseURL, headers, params, paramsSerializer, data, auth } = config
  return {
    method,
    url: formatUrl(url),
    baseURL: formatUrl(baseURL),
    uri: buildUri(axios, config),
    headers,
    params,
    ...(params && paramsSerializer ? { serialized: true } : {}),
    ...(parts ? { data: parts, dataType: getFormType(data) } : describeBody(data)),
    auth,
  }
}

/** A URL object is its text; nothing is an empty one. */
const formatUrl = (url: unknown) => (url === undefined || url === null ? undefined : String(url))

function buildUri(
  axios: AxiosParts,
  { url, baseURL, params, paramsSerializer, allowAbsoluteUrls }: RequestConfig,
): string | undefined {
  try {
    return axios.getUri({ url, baseURL, params, paramsSerializer, allowAbsoluteUrls })
  } catch {
    return undefined
  }
}

function describeBody(data: unknown): { data?: unknown; dataType?: string } {
  if (data === undefined) return {}
  if (typeof data !== 'object' || data === null)
    return { data, dataType: data === null ? 'null' : typeof data }
  const tag = tagOf.call(data).slice(8, -1)
  return { data, dataType: tag === 'Object' ? 'object' : tag === 'Array' ? 'array' : tag }
}

/** Name, value and head of each part; undefined where the data is no form. */
type FormPart = { name: string; value: unknown; filename?: string | undefined; type?: string | undefined }
function listFormParts(data: unknown): FormPart[] | undefined {
  if (typeof data !== 'object' || data === null || tagOf.call(data) !== '[object FormData]') return undefined
  if (getFormType(data) === 'form-data')
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
const getFormType = (data: unknown) =>
  Array.isArray((data as PackagedForm)._streams) ? 'form-data' : 'FormData'

/** Bytes of blobs and streams take their time; other forms are recorded in the order of their requests. */
function readFormParts(form: readonly FormPart[]): CapturedPart[] | Promise<CapturedPart[]> {
  const parts = form.map(({ name, value, filename, type }): CapturedPart | Promise<CapturedPart> => {
    const bytes = toBytes(value)
    if (bytes === undefined) return [name, printValue(value)]
    const told = (content: Uint8Array): CapturedPart => [
      name,
      printValue(value),
      { ...(filename && { filename }), ...(type && { type }), ...describeFile(content) },
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
function toBytes(value: unknown): Uint8Array | Promise<Uint8Array> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof Uint8Array) return value
  if (value instanceof Blob) return value.arrayBuffer().then((buffer) => new Uint8Array(buffer))
  const source = (value as DelayedStream).source
  return source && typeof (value as DelayedStream).resume === 'function'
    ? readStream(value as unknown as NodeJS.ReadableStream)
    : undefined
}
async function readStream(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk: Uint8Array | string) => chunks.push(Buffer.from(chunk as Uint8Array)))
    stream.on('end', () => resolve(Buffer.concat(chunks)))
    stream.on('error', reject)
    stream.resume()
  })
}

/** Crypto is loaded when a program uploads the first file: others don't pay for it. */
function describeFile(bytes: Uint8Array): Pick<CapturedFile, 'size' | 'sha256'> {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
const printValue = (value: unknown) =>
  typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('utf8') : tagOf.call(value)
