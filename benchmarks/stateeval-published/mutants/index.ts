/**
 * Mutants for the built-in model: programs with one mistake, further inputs, and a judge that is not
 * the scorer.
 */
import type { Observation } from '@stateeval/contracts'
import { type BenchmarkHost, type Mutants, resolveTensors } from '@stateeval/program'
import { callsOf, type PublishedCase, sessionsOf, type Test } from '../case.ts'
import { valueOf } from '../compare/value.ts'
import { answerOf } from '../player.ts'
import type { Value } from '../run/report.ts'
import { agree, truthMark } from './agree.ts'
import { furtherInputs } from './further.ts'
import { operators } from './operators.ts'
import { edited, partsOf, tell } from './parts.ts'

export const makeMutants = (host: BenchmarkHost): Mutants<PublishedCase> => {
  const resolved = (tests: readonly Test[]): readonly Test[] => {
    const resolution = resolveTensors([...tests], (hash) => host.artifact?.(hash))
    return resolution.ok ? resolution.value : tests
  }
  return {
    mutate({ task }, _, rng) {
      const { program, init, load } = task.tests[0]!
      const parts = partsOf(program, init, Object.keys(load))
      const applicable = operators
        .map(({ id, sites }) => ({ id, sites: sites(parts) }))
        .filter(({ sites }) => sites.length > 0)
      if (applicable.length === 0) return null
      const { id, sites } = rng.pick(applicable)
      const site = rng.pick(sites)
      return { mutant: answerOf(edited(program, site)), operator: id, site: tell(program, site) }
    },
    furtherInputs: ({ task }, count, rng) =>
      furtherInputs({ ...task, tests: [...resolved(task.tests)] }, count, rng),
    expected: ({ task }) => resolved(task.tests).map(expectedOf),
    isCaughtByComparison: ({ verdict }) => verdict === 'result_error',
    agree: (_, a, b) => agree(a, b),
  }
}

/** A truth as the run that would have left it behind. */
function expectedOf(test: Test): Observation {
  const isVoice = test.state?.some((one) => 'speech' in one) === true
  const calls = isVoice
    ? callsOf(test).map(({ speech, voice }): [Value, Value] => [valueOf(speech), valueOf(voice)])
    : []
  return {
    ending: {
      status: 'completed',
      result: { ended: 'completed', ...(test.result !== null && { result: valueOf(test.result) }), calls },
    },
    world: { state: { items: isVoice ? [] : sessionsOf(test) }, ids: { initial: [], created: [] }, gone: [] },
    log: [],
    output: '',
    faults: [],
    wallMs: 0,
    sandbox: truthMark,
  }
}
