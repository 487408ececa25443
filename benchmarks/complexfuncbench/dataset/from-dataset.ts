/**
 * Samples in the published format as a set of test cases: validated, counted, hashed. What is broken is named
 * by file and line.
 */
import { ProblemError, sha256 } from '@stateeval/contracts'
import type { DatasetSet } from '@stateeval/program'
import { type ComplexCase, formatComplexCase } from '../case.ts'
import { type SampleConversation, listGoldenTurns } from '../conversation/conversation.ts'
import { BadSample, readConversation } from '../conversation/read.ts'
import { cutForeign } from '../dialogue/decisions.ts'
import { EvaluatorCrash, findPublishedFault } from '../format/published.ts'
import { findSoundFault } from '../format/sound.ts'
import type { PythonCall } from '../functions/free.ts'
import { readLiveParts } from '../live/case.ts'
import { dumpJson } from '../python/write.ts'
import { version } from '../version.ts'
import { formatComplexReadme } from './readme.ts'

type DatasetFiles = Readonly<Record<string, string>>
interface ImportedSample {
  c: ComplexCase
  line: string
  warnings: string[]
}

function fail(file: string, says: string): never {
  throw new ProblemError('unprocessable', `${file} ${says}`, `/files/${file}`)
}

/** @param files JSON lines in the published format, by name. */
export function importConversations(files: DatasetFiles): DatasetSet {
  const samples = Object.keys(files)
    .sort()
    .flatMap((file) => readFile(file, files[file]!))
  if (samples.length === 0)
    throw new ProblemError(
      'unprocessable',
      'the folder contains no samples of complexfuncbench; add a file of JSON lines in the published format',
      '/files',
    )
  const cases = samples.map(({ c }) => c)
  const ids = new Set<string>()
  const twice = cases.find(({ id }) => ids.size === ids.add(id).size)
  if (twice)
    throw new ProblemError('unprocessable', `the id ${twice.id} occurs twice; keep one of them`, '/files')
  /** Cases with a golden call that the released check refuses. */
  const marked = cases.filter(({ task }) => task.marks).length
  const about: DatasetSet['about'] = {
    seed: 0,
    options: {
      sources: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, sha256(text)])),
      ...(marked > 0 && { marked }),
    },
    versions: { 'benchmark complexfuncbench': version },
    counts: { generated: cases.length, passed: cases.length, kept: cases.length },
    filtered: [],
    statistics: computeDialogueStatistics(cases),
  }
  return {
    lines: cases.map(formatComplexCase),
    artifacts: Object.fromEntries(
      samples.map(({ c, line }) => [c.artifacts![0], new TextEncoder().encode(line)]),
    ),
    about,
    readme: formatComplexReadme(about),
    warnings: samples.flatMap(({ warnings }) => warnings),
  }
}

/** Statistics of a manifest of each domain. */
export const computeDialogueStatistics = (cases: readonly ComplexCase[]): DatasetSet['about']['statistics'] =>
  listDomains(cases).map((domain) => {
    const members = cases.filter(({ group }) => group === domain)
    const calls = members.flatMap(({ task }) => task.turns.flat())
    return {
      scenario: domain,
      cases: members.length,
      apis: new Set(calls.map(({ name }) => name)).size,
      branches: 0,
      metrics: {
        steps: computeSpread(members.map(({ task }) => task.turns.length)),
        calls: computeSpread(members.map(({ task }) => task.turns.flat().length)),
      },
    }
  })

const listDomains = (cases: readonly ComplexCase[]) => [...new Set(cases.map(({ group }) => group))]

const computeSpread = (values: readonly number[]) => ({
  mean: Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100,
  min: Math.min(...values),
  max: Math.max(...values),
})

function readFile(file: string, text: string): ImportedSample[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      const conversation = readConversation(line)
      const marks = listCallMarks(conversation)
      const warnings = [...marks.map(({ warning }) => warning), ...listUnfitting(conversation, marks)].map(
        (says) => `${file} line ${at + 1}: ${says}`,
      )
      return { c: buildComplexCase(conversation, line, marks), line, warnings }
    } catch (error) {
      if (error instanceof BadSample) return fail(file, `line ${at + 1}: ${error.message}`)
      throw error
    }
  })
}

/**
 * Golden calls that the strict check refuses. The released code lets them pass, and under `sound` they are
 * right as they are written.
 */
function listUnfitting(conversation: SampleConversation, marks: readonly MarkedCall[]): string[] {
  return listGoldenTurns(conversation)
    .flat()
    .flatMap(({ id, turn, call }) => {
      const fault = findSoundFault(conversation, call)
      return fault && !marks.some((mark) => mark.call === id)
        ? [`a golden call of step ${turn + 1} does not fit its schema: ${fault.says}`]
        : []
    })
}

interface MarkedCall {
  call: number
  says: string
  warning: string
}

/** Golden calls that the released check refuses or crashes at. They are run as it runs them. */
function listCallMarks(conversation: SampleConversation): MarkedCall[] {
  return listGoldenTurns(conversation).flatMap((calls, turn) =>
    calls.flatMap(({ id, call }, at) => {
      const says = findCallRefusal(conversation, call)
      const where = `conversations[${2 * turn + 1}].function_call[${at}]`
      return says === null
        ? []
        : [
            {
              call: id,
              says: cutForeign(says),
              warning: `${where} is broken, and kept and marked: ${cutForeign(says)}`,
            },
          ]
    }),
  )
}

function findCallRefusal(conversation: SampleConversation, call: PythonCall): string | null {
  try {
    return findPublishedFault(conversation, call)
  } catch (error) {
    if (error instanceof EvaluatorCrash) return error.message
    throw error
  }
}

function buildComplexCase(
  { id, domain, query, turns }: SampleConversation,
  line: string,
  marks: readonly MarkedCall[],
): ComplexCase {
  const live = readLiveParts(line)
  if (live && 'fault' in live) throw new BadSample(live.fault)
  return {
    id,
    kind: 'complexfuncbench',
    group: domain,
    instruction: query,
    task: {
      domain,
      turns: turns.map(({ calls }) =>
        calls.map(({ name, args }) => ({ name, arguments: dumpJson(args, { ascii: false }) })),
      ),
      ...(marks.length > 0 && { marks: marks.map(({ call, says }) => ({ call, says })) }),
      ...live,
    },
    artifacts: [sha256(line)],
  }
}
