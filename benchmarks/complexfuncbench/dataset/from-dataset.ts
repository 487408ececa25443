/**
 * Samples in the published format as a set of test cases: validated, counted, hashed. What is broken is named
 * by file and line.
 */
import { ProblemError, sha256 } from '@stateeval/contracts'
import type { DatasetSet } from '@stateeval/program'
import { type ComplexCase, lineOf } from '../case.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { BadSample, readConversation } from '../conversation/read.ts'
import { soundFault } from '../format/sound.ts'
import { liveIn } from '../live/case.ts'
import { dumps } from '../python/write.ts'
import { version } from '../version.ts'
import { readme } from './readme.ts'

type Files = Readonly<Record<string, string>>
interface Sample {
  c: ComplexCase
  line: string
  warnings: string[]
}

function fail(file: string, says: string): never {
  throw new ProblemError('unprocessable', `${file} ${says}`, `/files/${file}`)
}

/** @param files JSON lines in the published format, by name. */
export function fromDataset(files: Files): DatasetSet {
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
  const about: DatasetSet['about'] = {
    seed: 0,
    options: {
      sources: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, sha256(text)])),
    },
    versions: { 'benchmark complexfuncbench': version },
    counts: { generated: cases.length, passed: cases.length, kept: cases.length },
    filtered: [],
    statistics: statisticsOf(cases),
  }
  return {
    lines: cases.map(lineOf),
    artifacts: Object.fromEntries(
      samples.map(({ c, line }) => [c.artifacts![0], new TextEncoder().encode(line)]),
    ),
    about,
    readme: readme(about),
    warnings: samples.flatMap(({ warnings }) => warnings),
  }
}

/** What a manifest says of each domain. */
export const statisticsOf = (cases: readonly ComplexCase[]): DatasetSet['about']['statistics'] =>
  domainsOf(cases).map((domain) => {
    const members = cases.filter(({ group }) => group === domain)
    const calls = members.flatMap(({ task }) => task.turns.flat())
    return {
      scenario: domain,
      cases: members.length,
      apis: new Set(calls.map(({ name }) => name)).size,
      branches: 0,
      metrics: {
        steps: spread(members.map(({ task }) => task.turns.length)),
        calls: spread(members.map(({ task }) => task.turns.flat().length)),
      },
    }
  })

export const domainsOf = (cases: readonly ComplexCase[]) => [...new Set(cases.map(({ group }) => group))]

const spread = (values: readonly number[]) => ({
  mean: Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100,
  min: Math.min(...values),
  max: Math.max(...values),
})

function readFile(file: string, text: string): Sample[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      const conversation = readConversation(line)
      const warnings = unfitting(conversation).map((says) => `${file} line ${at + 1}: ${says}`)
      return { c: caseOf(conversation, line), line, warnings }
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
const unfitting = (conversation: Conversation): string[] =>
  conversation.turns.flatMap(({ calls }, turn) =>
    calls.flatMap((call) => {
      const fault = soundFault(conversation, call)
      return fault ? [`a golden call of step ${turn + 1} does not fit its schema: ${fault.says}`] : []
    }),
  )

function caseOf({ id, domain, query, turns }: Conversation, line: string): ComplexCase {
  const live = liveIn(line)
  if (live && 'fault' in live) throw new BadSample(live.fault)
  return {
    id,
    kind: 'complexfuncbench',
    group: domain,
    instruction: query,
    task: {
      domain,
      turns: turns.map(({ calls }) =>
        calls.map(({ name, args }) => ({ name, arguments: dumps(args, { ascii: false }) })),
      ),
      ...live,
    },
    artifacts: [sha256(line)],
  }
}
