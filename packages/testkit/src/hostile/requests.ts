/**
 * Requests of a caller who wants a service to fail, made from its OpenAPI document: the same seed gives the
 * same requests. Each operation gets as many as the others.
 */
import { createRng, type RandomSource } from '@stateeval/program'
import { bodySpoilers } from './bodies.ts'
import { encodeRequest, type HostileScale, type RequestDraft, type RequestSpoiler } from './draft.ts'
import { lineSpoilers } from './lines.ts'
import { type DescribedOperation, describedOperations, type OpenApiDocument } from './operations.ts'

export interface HostileRequest {
  number: number
  operation: DescribedOperation
  /** What is wrong about it, for messages of tests. */
  what: string
  bytes: Buffer
  manner: SendManner
  isHead: boolean
  /** Whether another operation, or none, may answer. */
  isElsewhere: boolean
  /** Whether the service may wait for more of it, and need not answer. */
  isUnfinished: boolean
}
/** How the bytes are sent, and the answer is read. */
type SendManner =
  | 'whole'
  | 'slowly'
  | 'pipelined'
  | 'half, then held'
  | 'half, then closed'
  | 'half, then reset'
  | 'whole, then reset'
  | 'without reading'
export interface HostileOptions {
  seed: string | number
  count: number
  scale: HostileScale
  /** Values of places in paths by what stands before them, as `evaluations/id`: for what only reads. */
  values?: Readonly<Record<string, string>>
  /** What it is called in requests. */
  host: string
}

const manners: Record<SendManner, number> = {
  whole: 78,
  slowly: 4,
  pipelined: 5,
  'half, then held': 3,
  'half, then closed': 3,
  'half, then reset': 3,
  'whole, then reset': 2,
  'without reading': 2,
}
/** Of those that begin work: the others are refused for a member that nobody knows. */
const beginning = 0.1

export function* hostileRequests(
  document: OpenApiDocument,
  { seed, count, ...options }: HostileOptions,
): Generator<HostileRequest> {
  const operations = describedOperations(document)
  for (let number = 0; number < count; number++) {
    const rng = createRng(`hostile/${seed}/${number}`)
    yield drawn(number, operations[number % operations.length]!, rng, options)
  }
}

function drawn(
  number: number,
  operation: DescribedOperation,
  rng: RandomSource,
  { scale, values = {}, host }: Pick<HostileOptions, 'scale' | 'values' | 'host'>,
): HostileRequest {
  const { method, path, example, isStream } = operation
  const reads = method === 'GET'
  const target = path.replaceAll(/\/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    const value = reads && rng.chance(0.7) ? values[`${before}/${name}`] : undefined
    return `/${before}/${value ?? 'nobody'}`
  })
  const draft: RequestDraft = {
    method,
    target,
    version: 'HTTP/1.1',
    headers: [['host', host]],
    body: example === undefined ? null : Buffer.from(JSON.stringify(begun(example, rng))),
    isFramed: false,
    isElsewhere: false,
    isUnfinished: false,
    isAlone: false,
  }
  if (example !== undefined) draft.headers.push(['content-type', 'application/json'])
  const spoilers = example === undefined ? [lineSpoilers] : [bodySpoilers, bodySpoilers, lineSpoilers]
  const what: string[] = []
  for (let left = rng.weighted([0, 1, 2], (one) => [1, 8, 3][one]!); left > 0; left--) {
    const kinds: Readonly<Record<string, RequestSpoiler>> = rng.pick(spoilers)
    const { isFramed, body } = draft
    what.push(kinds[rng.pick(Object.keys(kinds))]!(draft, rng, scale, operation))
    // The headers say where another body ends.
    if (isFramed && body !== draft.body) draft.isUnfinished = true
  }
  // Whoever reads a stream takes long, and whoever does not may be many.
  const manner = isStream && rng.chance(0.5) ? 'without reading' : rng.weighted(all, (one) => manners[one])
  return {
    number,
    operation,
    what: what.join(', ') || 'nothing',
    bytes: encodeRequest(draft),
    manner: draft.isAlone && manner === 'pipelined' ? 'whole' : manner,
    isHead: draft.method === 'HEAD',
    isElsewhere: draft.isElsewhere,
    isUnfinished: draft.isUnfinished,
  }
}
const all = Object.keys(manners) as SendManner[]

/** Mostly with a member too many, so that little work is begun. */
const begun = (example: unknown, rng: RandomSource): unknown =>
  rng.chance(beginning) || typeof example !== 'object' || example === null
    ? example
    : { ...example, 'a member that nobody knows': 1 }
