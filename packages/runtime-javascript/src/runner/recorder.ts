/**
 * Captures axios’s requests instead of sending them: an adapter that every instance uses, unless code
 * chooses another. It runs next to candidate code, so the builtins that it uses are saved before that code
 * starts.
 */
import type { CaptureReply } from '@stateeval/runtime'
import { unsafeJson } from '@stateeval/runtime/protocol'
import type { Json } from '@stateeval/contracts'

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
/** What the `form-data` package keeps: for each part a head, a value and a foot. */
interface PackagedForm {
  _streams: unknown[]
}

const { stringify, parse } = JSON
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its value
const tagOf = Object.prototype.toString
const byteLength = Buffer.byteLength.bind(Buffer)
const partName = /\bname="([^"]*)"/

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

  async #capture(axios: Axios, config: Config): Promise<unknown> {
    const { reply, maxRequests, bytes } = this.#job
    const text = stringify(described(axios, config))
    const unsafe = unsafeJson(parse(text) as Json)
    if (unsafe !== undefined) throw new TypeError(`The request ${unsafe}`)
    if (this.#count >= maxRequests) this.#stop('requests')
    this.#bytes += byteLength(text) + 1
    if (this.#bytes > bytes) this.#stop('oversize')
    this.#texts += this.#count++ === 0 ? text : `,${text}`
    const { status } = reply
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

function described(axios: Axios, config: Config) {
  const { method, url, baseURL, headers, params, paramsSerializer, data, auth } = config
  return {
    method,
    url: printable(url),
    baseURL: printable(baseURL),
    uri: uriOf(axios, config),
    headers,
    params,
    ...(params && paramsSerializer ? { serialized: true } : {}),
    ...body(data),
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
  if (tag === 'FormData' && Array.isArray((data as PackagedForm)._streams))
    return { data: packaged(data as PackagedForm), dataType: 'form-data' }
  if (tag === 'FormData')
    return {
      data: [...(data as FormData).entries()].map(([name, value]) => [name, printed(value)]),
      dataType: 'FormData',
    }
  return { data, dataType: tag === 'Object' ? 'object' : tag === 'Array' ? 'array' : tag }
}

const packaged = ({ _streams: streams }: PackagedForm) =>
  streams.flatMap((head, at) =>
    at % 3 === 0 ? [[partName.exec(String(head))?.[1] ?? '', printed(streams[at + 1])]] : [],
  )
const printed = (value: unknown) =>
  typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('utf8') : tagOf.call(value)
