/** Published programs: differences name RESULT or the state, in sentences. */
import type { JsonValue, Observation } from '@stateeval/contracts'
import { oneAnswer, resolveTensors, runEpisode } from '@stateeval/program'
import { getTruthCalls, getTruthSessions, type PublishedCase } from '../../stateeval-published/case.ts'
import { toTruthValue } from '../../stateeval-published/compare/value.ts'
import { imported } from '../../stateeval-published/test/own.ts'
import { publishedFiles } from '../every-kind.ts'
import { defineExplained } from './kind.ts'

/** What the run of a test left. */
interface TestOutcome {
  result?: JsonValue
  calls?: JsonValue
  items?: JsonValue
}

const { set, benchmark, cases } = imported(publishedFiles)
const first = cases.find(({ task }) => task.scenario === 'session')!
const long = {
  ...first,
  id: 'long',
  task: {
    ...first.task,
    tests: first.task.tests.map((test) => ({ ...test, result: { listing: 'long '.repeat(100) } })),
  },
}

function readTruth({ task }: PublishedCase): TestOutcome[] {
  const whole = resolveTensors(task.tests, (hash) => set.artifacts[hash])
  if (!whole.ok) throw new Error(whole.says)
  return whole.value.map((test) => ({
    result: toTruthValue(test.result) as JsonValue,
    calls:
      task.scenario === 'voice'
        ? getTruthCalls(test).map(
            ({ speech, voice }) => [toTruthValue(speech), toTruthValue(voice)] as JsonValue,
          )
        : [],
    items: task.scenario === 'session' ? (getTruthSessions(test) as unknown as JsonValue) : [],
  }))
}

const candidateOf = async (c: PublishedCase, policy: string, answer: TestOutcome[]) => {
  const observations = c.task.tests.map((_, n): Observation => {
    const { result, calls = [], items = [] } = answer[n]!
    return {
      ending: {
        status: 'completed',
        result: { ended: 'completed', calls, ...(result !== undefined && { result }) },
      },
      world: { state: { items }, ids: { initial: [], created: [] }, gone: [] },
      ...{ log: [], output: '', faults: [], wallMs: 1, sandbox: 'truth' },
    }
  })
  const { candidate } = await runEpisode(
    benchmark.episode,
    c,
    { language: 'python', prompting: 'direct', policy },
    { reply: oneAnswer('```python\nRESULT = None\n```'), execute: () => ({ observations, runtime: 'here' }) },
  )
  return candidate
}

export const published = defineExplained<PublishedCase, TestOutcome[]>({
  benchmark,
  cases: [...cases, long],
  reference: readTruth,
  candidate: ({ case: c, policy, answer }) => candidateOf(c, policy, answer),
  isChangeable: (place, how) =>
    !place.includes('tensor') &&
    (/^\d+\.(result|calls)|^\d+\.items\.\d+\.data\..+$/.test(place) ||
      (how === 'left out' && /^\d+\.items\.\d+$/.test(place))),
  read: () => null,
  mend({ answer }, { where, says }, reference) {
    const at = says.startsWith('on the other constants, ') ? 1 : 0
    const right = reference[at]!
    if (where === 'answer') return answer.with(at, right)
    if (where === 'RESULT') return answer.with(at, { ...answer[at], result: right.result! })
    return answer.with(at, {
      ...right,
      ...(answer[at]!.result !== undefined && { result: answer[at]!.result }),
    })
  },
})
