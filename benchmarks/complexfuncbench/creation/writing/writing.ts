/**
 * Coarse generation (paper, section 2.1.1): a model writes queries for random subsets of the functions and
 * calls them in the travel world; mechanical checks stand in for annotators. Fits into the creation of data
 * for specifications.
 */
import {
  type FilterCount,
  isRecord,
  type JsonValue,
  ProblemError,
  sha256,
  type TaskCase,
} from '@stateeval/contracts'
import {
  createRng,
  type DatasetSet,
  type TaskEnd,
  type TaskSource,
  type PromptWriting,
} from '@stateeval/program'
import { type ComplexCase, formatComplexCase } from '../../case.ts'
import { computeDialogueStatistics } from '../../dataset/from-dataset.ts'
import { version } from '../../version.ts'
import { formatComplexReadme } from '../../dataset/readme.ts'
import { creationVersion } from '../from-seed.ts'
import type { GoldenCall, CreatedSample } from '../sample.ts'
import { checkWritten } from './check.ts'
import { type WritingDocument, readDocument } from './document.ts'
import {
  buildQuestionMessages,
  prompts,
  resumeRounds,
  type RoundsContext,
  startRounds,
  type RoundsState,
} from './rounds.ts'
import { findForeignPart } from '../learning/learn-template.ts'
import { listCalledNames } from './likeness.ts'
import { drawSubset } from './subset.ts'

export const writing: PromptWriting = {
  prompts,
  questions: [
    {
      id: 'solvable',
      asks: 'Is the query clear, and can it be answered with the offered functions?',
    },
    {
      id: 'solves',
      asks: 'Does the path answer everything that the query asks, without unnecessary calls?',
    },
    {
      id: 'arguments',
      asks: 'Does every argument clearly follow from the query or an earlier answer?',
    },
  ],
  solution: { name: 'a path of calls', unproved: 'its own path does not pass under every policy' },
  open: (text, { rounds }, texts) =>
    createTaskSource(readDocument(text), { rounds, texts, hash: sha256(text) }),
}

interface WritingContext {
  rounds: number
  texts: Readonly<Record<string, string>>
  /** The hash of the document. */
  hash: string
}

function createTaskSource(document: WritingDocument, { rounds, texts, hash }: WritingContext): TaskSource {
  const { samples, seed, steps, originals } = document
  const rng = createRng(`${seed}/queries`)
  const likeOf = (index: number) => originals[index % originals.length]
  const subsets = Array.from({ length: samples }, (_, at) => {
    const like = likeOf(at)
    return like ? [...new Set(listCalledNames(like.turns))] : drawSubset(document.functions, rng.fork(at))
  })
  const contextOf = (index: number): RoundsContext => ({
    index,
    functions: subsets[index]!,
    seed: deriveWorldSeed(document, index),
    steps,
    like: likeOf(index),
    rounds,
    texts,
    id: formatTaskId(subsets[index]!, index),
    caseOf: buildWrittenCase,
  })
  const targets = subsets.map((functions, index) => {
    const like = likeOf(index)
    const foreign = like ? findForeignPart(like) : null
    return {
      name: `${index + 1}: ${functions.join(', ')}`,
      case: formatTaskId(functions, index),
      ...(foreign !== null && { skipped: `the travel world has no ${foreign}` }),
    }
  })
  return {
    targets,
    parts: targets.flatMap(({ skipped }, index) => (skipped === undefined ? [[index]] : [])),
    artifacts: {},
    start: () => startRounds(),
    ask: (part, state: RoundsState) => buildQuestionMessages(state, contextOf(part)),
    resume: (part, state: RoundsState, answer) => resumeRounds(state, answer, contextOf(part)),
    check: (index, { instruction, task }) => decideWritten(contextOf(index), instruction, task),
    show: (c) => {
      const { turns, live } = (c as ComplexCase).task
      const calls = turns.map((round) =>
        round.map(({ name, arguments: text }) => ({ name, arguments: JSON.parse(text) as JsonValue })),
      )
      return {
        code: turns
          .map((round, at) =>
            round.map(({ name, arguments: text }) => `${at + 1}. ${name} ${text}`).join('\n'),
          )
          .join('\n'),
        task: { calls, answer: live?.answer ?? '' },
      }
    },
    set: (ends, about) => buildWrittenSet(ends, { ...about, hash }),
  }
}

const formatTaskId = (functions: readonly string[], index: number) => `${getDomain(functions)}-${index + 1}`
const deriveWorldSeed = ({ seed }: WritingDocument, index: number) => `${seed}-written-${index + 1}`

/** A query or a path that a person wrote, held against the same checks. */
function decideWritten(
  { seed, steps, like, id, caseOf }: RoundsContext,
  instruction: string,
  task: unknown,
): { case: TaskCase } | { fault: string } {
  if (!isRecord(task) || !Array.isArray(task['calls']) || typeof task['answer'] !== 'string')
    return { fault: 'the path should be {"calls": [[{"name", "arguments"}]], "answer": "…"}' }
  const rounds = task['calls'] as unknown[]
  const isCall = (one: unknown): one is GoldenCall =>
    isRecord(one) && typeof one['name'] === 'string' && isRecord(one['arguments'])
  if (!rounds.every((round) => Array.isArray(round) && round.every(isCall)))
    return { fault: 'calls should be a list of rounds, each a list of {"name", "arguments"}' }
  const calls = rounds
  const world = { seed, hidden: [] }
  const outcome = checkWritten(
    { id, query: instruction, calls, answer: task['answer'], world },
    { steps, like },
  )
  return 'fault' in outcome ? outcome : { case: caseOf(outcome.sample) }
}

const domains = [
  ['Taxi', /Taxi/],
  ['Flights', /Flight|Min_Price|Seat_Map/],
  ['Car-Rental', /Car|Vehicle|Packages|Booking_Summary/],
  ['Attraction', /Attraction(?!_Near)|^Get_Availability/],
  ['Hotels', /Hotel|Room|Property|Payment|Question|Nearby|Near_By|^Get_Filter|^Get_Sort_By|Description/],
] as const
/** A taxi alone is `Cross`, too: the paper has it in such samples only. */
function getDomain(names: readonly string[]): string {
  const domainNames = domains
    .filter(([, of]) => names.some((name) => of.test(name)))
    .map(([domain]) => domain)
  return domainNames.length === 1 && domainNames[0] !== 'Taxi' ? domainNames[0]! : 'Cross'
}

/** Its responses are the world's, so the case holds none. */
function buildWrittenCase({ id, query, turns, answer, world, functions, left }: CreatedSample): TaskCase {
  const domain = id.slice(0, id.lastIndexOf('-'))
  return {
    id,
    kind: 'complexfuncbench',
    group: domain,
    instruction: query,
    task: {
      domain,
      turns: turns.map(({ calls }) =>
        calls.map(({ name, arguments: args }) => ({ name, arguments: JSON.stringify(args) })),
      ),
      live: { world, left, answer, functions },
    },
  }
}

function buildWrittenSet(
  ends: readonly TaskEnd[],
  { seed, options, versions, hash }: Parameters<TaskSource['set']>[1] & { hash: string },
): DatasetSet {
  const cases = ends.flatMap((end) => (end.status === 'kept' ? [end.case as ComplexCase] : []))
  const share = ends.length > 0 ? Math.round(((ends.length - cases.length) / ends.length) * 1e6) / 1e6 : 0
  if (cases.length === 0) throw new ProblemError('unprocessable', 'no sample is left', '/specification')
  const about: DatasetSet['about'] = {
    seed,
    options: { ...options, sources: { document: hash } },
    versions: {
      'benchmark complexfuncbench': version,
      'creation complexfuncbench': creationVersion,
      ...versions,
    },
    counts: { generated: ends.length, passed: cases.length, kept: cases.length, filteredShare: share },
    filtered: countEnds(ends),
    statistics: computeDialogueStatistics(cases),
  }
  return {
    lines: cases.map(formatComplexCase),
    artifacts: {},
    about,
    readme: formatComplexReadme(about),
    warnings: [],
  }
}

function countEnds(ends: readonly TaskEnd[]): FilterCount[] {
  const counts = new Map<string, FilterCount>()
  for (const end of ends) {
    if (end.status === 'kept') continue
    const { phase, reason } = end
    const key = `${phase}/${reason}`
    counts.set(key, { scenario: 'travel', phase, reason, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}
