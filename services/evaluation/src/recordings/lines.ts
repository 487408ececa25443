/**
 * The lines of a recording. Each line is checked against its schema when it is read, and the problem names
 * the faulty line. The seeds of a sample's tool sessions have a line, too, because answers contain ids
 * derived from them.
 */
import { createHash, type Hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import {
  AgentOptions,
  computeContentId,
  ProblemError,
  RecordedAnswer,
  RecordedSilence,
  RecordingHeading,
  type SchemaFault,
  type ScoredSample,
  WorldSeeds,
} from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import {
  type AnswerStore,
  findUrlFormFault,
  type KeptAnswer,
  type NamedModel,
  noUsage,
} from '@stateeval/models'
import { type SchemaChecker, createChecker } from '@stateeval/service-kit/bodies'
import type { EvaluationOwner } from '@stateeval/jobs'

const schemas = {
  seeds: createChecker(WorldSeeds),
  heading: createChecker(RecordingHeading),
  answer: createChecker(RecordedAnswer),
  silence: createChecker(RecordedSilence),
  agents: createChecker(AgentOptions),
}

/** The negotiating models of a build, and their names in it. */
export interface RecordedAgents {
  generator: NamedModel
  evaluator: NamedModel
  coder: NamedModel
  options: AgentOptions
}

export interface RecordingFile {
  id: string
  heading: RecordingHeading
  /** Answers, without the seeds of worlds. */
  count: number
  /** The lines after the heading, compressed: see unpackLines. */
  pieces: Uint8Array[]
  agents?: RecordedAgents
}

/** Lines of a recording after its heading, at most. */
const maxLines = 1_000_000
/** No stored answer has more. */
export const maxLineBytes = 15 * 2 ** 20
/** Characters of a piece, before its last line. */
const pieceLength = 2 ** 19

/**
 * Reads the lines of a recording. Throws a problem that names the fault and its line, counted from 1 as in
 * editors.
 */
export function readRecording(text: Iterable<string>): RecordingFile {
  const hash = createHash('sha256')
  const lines = readLines(text, hash)
  const { line: first = '', at = 0 } = lines.next().value ?? {}
  const heading = checkRecordingLine(
    schemas.heading,
    first === '' ? undefined : parseRecordingLine(first, at),
    at,
    'the heading {"recording":2,"model":…}',
  )
  for (const { settings } of [heading.model, ...Object.values(heading.others ?? {})]) {
    const wrong = findUrlFormFault(settings.baseUrl)
    if (wrong) refuseLine(at, `names a model whose baseUrl ${wrong}`)
  }
  const pieces = new LinePieces()
  let count = 0
  for (const { line: json, at: line } of lines) {
    if (pieces.lines === maxLines)
      refuseLine(line, `is one too many: at most ${maxLines} are read; import fewer at a time`)
    const value = parseRecordingLine(json, line)
    if (value !== null && typeof value === 'object' && 'unanswered' in value)
      checkRecordingLine(schemas.silence, value, line, '{"key": …, "unanswered": …}')
    else {
      const answer = checkRecordingLine(
        schemas.answer,
        value,
        line,
        'an answer: {"key": …, "text": …, "finish": …, "usage": …, "retries": …}',
      )
      const wrong = isSeeds(answer) ? findSeedsFault(answer.text) : null
      if (wrong) refuseLine(line, `has no seeds of worlds in its text: ${wrong.field || 'it'} ${wrong.says}`)
      if (!isSeeds(answer)) count++
    }
    pieces.add(json)
  }
  const agents = listRecordedAgents(heading, at)
  const id = `rec_${hash.digest('hex')}`
  return { id, heading, count, pieces: pieces.end(), ...(agents && { agents }) }
}

/** Lines that are not blank, one at a time. The hash takes the whole text. */
function* readLines(text: Iterable<string>, hash: Hash): Generator<{ line: string; at: number }, undefined> {
  let at = 0
  for (const line of text) {
    hash.update(at === 0 ? line : `\n${line}`)
    if (line.trim() !== '') yield { line, at }
    at++
  }
}

/** Lines in compressed pieces: a recording is much larger than a service should hold. */
class LinePieces {
  lines = 0
  readonly #pieces: Uint8Array[] = []
  #begun: string[] = []
  #length = 0

  add(line: string): void {
    this.lines++
    this.#begun.push(line)
    this.#length += line.length
    if (this.#length >= pieceLength) this.#pack()
  }
  end(): Uint8Array[] {
    if (this.#length > 0) this.#pack()
    return this.#pieces
  }
  #pack(): void {
    // Copied, as its memory moves out of a thread.
    this.#pieces.push(Uint8Array.from(gzipSync(this.#begun.join('\n'), { level: 1 })))
    this.#begun = []
    this.#length = 0
  }
}

/** The lines of a piece. */
export async function unpackLines(piece: Uint8Array): Promise<(RecordedAnswer | RecordedSilence)[]> {
  const text = (await promisify(gunzip)(piece)).toString()
  return text.split('\n').map((line) => JSON.parse(line) as RecordedAnswer | RecordedSilence)
}

/** Lists the agents that negotiated, if the recording has any. */
function listRecordedAgents(
  { model: generator, others, options }: RecordingHeading,
  at: number,
): RecordedAgents | null {
  const { evaluator, coder } = others ?? {}
  if (!evaluator || !coder) return null
  const agents = (options as { agents?: unknown } | null | undefined)?.agents
  return {
    generator,
    evaluator,
    coder,
    options: checkRecordingLine(
      schemas.agents,
      agents,
      at,
      'the heading of a build with agents in its options',
    ),
  }
}

function checkRecordingLine<T>({ fault }: SchemaChecker<T>, value: unknown, at: number, what: string): T {
  const wrong = fault(value)
  if (wrong) refuseLine(at, `is not ${what}: ${wrong.field || 'it'} ${wrong.says}`)
  return value as T
}

function parseRecordingLine(line: string, at: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return refuseLine(at, 'is not valid JSON: the file is damaged; export it again')
  }
}
function refuseLine(at: number, says: string): never {
  throw new ProblemError('unprocessable', `line ${at + 1} of the recording ${says}`, '/text')
}

export const formatRecordingLine = ({
  key,
  text,
  toolCalls,
  vendor,
  finish,
  usage,
  retries,
  ms,
}: KeptAnswer | RecordedAnswer): RecordedAnswer => ({
  key,
  text,
  ...(toolCalls && { toolCalls }),
  ...(vendor && { vendor }),
  finish,
  usage,
  retries,
  ...(ms !== undefined && { ms }),
})

type SampleIdentity = Pick<ScoredSample, 'case' | 'sample'>
type OutcomeSeeds = SampleOutcome['seeds']
/** Why such a line ends: what tells it from an answer. */
const finish = 'seeds'

const computeSampleKey = ({ case: id, sample }: SampleIdentity) =>
  computeContentId({ seeds: 1, case: id, sample })

/** The line with a sample's seeds; null if it had no sessions. */
export const formatSeedsLine = ({ seeds, scored }: Partial<SampleOutcome>): RecordedAnswer | null =>
  seeds && scored
    ? { key: computeSampleKey(scored), text: JSON.stringify(seeds), finish, usage: noUsage, retries: 0 }
    : null
export const isSeeds = (line: Pick<RecordedAnswer, 'finish'>): boolean => line.finish === finish

/** Finds the fault of a line with seeds; null where there is none. */
export function findSeedsFault(text: string): SchemaFault | null {
  try {
    return schemas.seeds.fault(JSON.parse(text))
  } catch {
    return { field: '', says: 'is not JSON' }
  }
}

/** The recording that an evaluation repeats: its model's, else that of another part. */
const getRecordingId = ({ model, parties = {} }: EvaluationOwner): string | undefined =>
  [model, ...Object.values(parties)].flatMap((one) => (one.kind === 'endpoint' && one.recording) || [])[0]

/** The recorded seeds of a sample; undefined if the evaluation draws new ones. */
export async function findRecordedSeeds(
  { answers }: { answers: Pick<AnswerStore, 'get'> },
  owner: EvaluationOwner,
  sample: SampleIdentity,
): Promise<OutcomeSeeds> {
  const recording = getRecordingId(owner)
  const line = recording === undefined ? null : await answers.get(`${recording}/${computeSampleKey(sample)}`)
  if (!line) return undefined
  // It may have been imported by a version that did not check it.
  if (findSeedsFault(line.text))
    throw new ProblemError('unprocessable', `the recording ${recording} has damaged seeds; import it again`)
  return JSON.parse(line.text) as OutcomeSeeds
}
