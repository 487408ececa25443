/**
 * Evaluations of programs and dialogues, and builds, that run without end while faults happen; each result is
 * held against the undisturbed one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchmarkResource, Case, EvaluationResource, Report } from '@stateeval/contracts'
import { type ScriptedModel, startScriptedModel } from '@stateeval/testkit'
import { caseOf } from '../../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../../packages/testkit/src/dialogue/folder.ts'
import { solver } from '../../services/evaluation/test/over-http.ts'
import { type Everybody, startEverybody, ways } from '../dialogue/everybody.ts'
import type { FailoverCaller } from './caller.ts'

type WorkKind = 'programs' | 'answers' | 'dialogues' | 'builds'

export interface Difference {
  kind: WorkKind
  id: string
  expected: string
  actual: string
}
/** Everybody outside the suite: models, judges, the user, the live API. They are never disturbed. */
export interface Outside {
  everybody: Everybody
  solving: ScriptedModel
  /** The cases that the solving model answers. */
  know(cases: readonly Case[]): void
  close(): Promise<void>
}

/** One for each way of being wrong and one that deletes. */
const dialogueCases = [...ways.map((_, n) => caseOf(n)), caseOf(ways.length, { deletes: true })]
const wayOf = ({ id }: { id: string }) => Number(id.split('-')[1]) % ways.length

export async function startOutside(): Promise<Outside> {
  const everybody = await startEverybody(dialogueCases, wayOf, 20)
  let solve: ReturnType<typeof solver> | undefined
  const solving = await startScriptedModel((request) => ({ afterMs: 30, ...solve!(request) }))
  return {
    everybody,
    solving,
    know: (cases) => (solve = solver(cases)),
    async close() {
      await everybody.close()
      await solving.close()
    },
  }
}

const buildOptions = (seed: number) => ({
  ...{ scenario: 'session-service', strategy: 'coverage', programs: 7, keep: 5, seed },
  languages: ['javascript', 'python'],
})

/** Prepares a set of each kind, and gives what can be asked for; `samples`: of each case. */
export async function prepareWork(caller: FailoverCaller, outside: Outside, { samples = 4 } = {}) {
  const { everybody, solving } = outside
  const build = async (seed: number) => {
    const { id } = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks', {
      build: buildOptions(seed),
    })
    const benchmark = await caller.ended<BenchmarkResource>(`/v1/benchmarks/${id}`)
    return { id, text: JSON.stringify([benchmark.status, benchmark.manifest ?? benchmark.error]) }
  }
  const set = (await build(1)).id
  const { items } = await caller.call<{ items: Case[] }>('GET', `/v1/benchmarks/${set}/cases?limit=500`)
  outside.know(items)
  const { id: dialogues } = await caller.call<BenchmarkResource>(
    'POST',
    '/v1/benchmarks/import',
    folderOf(dialogueCases),
  )
  const name = (model: string, settings: object) => caller.call('PUT', `/v1/models/${model}`, settings)
  await name('solver', { baseUrl: solving.baseUrl, model: 's', concurrency: 4 })
  await name('mine', { baseUrl: everybody.model, model: 'm', concurrency: 4 })
  await name('judge', { baseUrl: everybody.judge, model: 'j' })
  await name('user', { baseUrl: everybody.user, model: 'u' })
  await name('vectors', { baseUrl: everybody.embeddings, model: 'e', api: 'embeddings' })
  const requests = {
    programs: { benchmark: set, model: 'mutant', language: 'python', samples, seed: 5 },
    answers: { benchmark: set, model: 'solver', samples, fresh: true },
    dialogues: {
      ...{ benchmark: dialogues, model: 'mine', fresh: true },
      ...{ judge: 'judge', user: 'user', embeddings: 'vectors' },
    },
  }
  const begin = async (kind: keyof typeof requests) =>
    (await caller.call<EvaluationResource>('POST', '/v1/evaluations', requests[kind])).id
  const result = async (id: string) => {
    const { status, error } = await caller.ended<EvaluationResource>(`/v1/evaluations/${id}`)
    if (status !== 'succeeded') return { id, text: JSON.stringify([status, error]) }
    const report = await caller.call<Report>('GET', `/v1/evaluations/${id}/report`)
    return { id, text: JSON.stringify(report.result) }
  }
  return { build, begin, result, evaluate: async (kind: keyof typeof requests) => result(await begin(kind)) }
}
export type Work = Awaited<ReturnType<typeof prepareWork>>

export type EvaluationKind = Exclude<WorkKind, 'builds'>

/** Builds and evaluations of each kind with an expected result, one after the other, until told to stop. */
export function keepWorking(work: Work, expected: Partial<Record<EvaluationKind, string>>) {
  let isOver = false
  const differences: Difference[] = []
  const ended: Record<WorkKind, number> = { programs: 0, answers: 0, dialogues: 0, builds: 0 }
  /** What builds under faults came to, by seed: to be compared with undisturbed ones afterwards. */
  const builtSets = new Map<number, { id: string; text: string }>()
  const evaluations = async (kind: EvaluationKind, expectedText: string) => {
    while (!isOver) {
      const { id, text } = await work.evaluate(kind)
      ended[kind]++
      if (text !== expectedText) differences.push({ kind, id, expected: expectedText, actual: text })
    }
  }
  const builds = async () => {
    for (let seed = 100; !isOver; seed++) {
      builtSets.set(seed, await work.build(seed))
      ended.builds++
      // They are large beside evaluations.
      for (let waits = 0; waits < 100 && !isOver; waits++) await sleep(100)
    }
  }
  const running = Promise.all([
    ...Object.entries(expected).map(([kind, text]) => evaluations(kind as EvaluationKind, text)),
    builds(),
  ])
  return {
    differences,
    ended,
    builtSets,
    /** Resolves when what is under way has ended. */
    async stop() {
      isOver = true
      await running
    },
    running,
  }
}
