/**
 * Mutants for the built-in model: programs with one mistake, further inputs, and a judge that is not
 * the scorer.
 */
import type { Observation } from '@stateeval/contracts'
import { type BenchmarkHost, type MutantSupport, resolveTensors } from '@stateeval/program'
import { getTruthCalls, type PublishedCase, getTruthSessions, type ProgramTest } from '../case.ts'
import { toTruthValue } from '../compare/value.ts'
import { writePublishedAnswer } from '../player.ts'
import type { ReportedValue } from '../run/report.ts'
import { isAgreeingObservation, truthMark } from './agree.ts'
import { createFurtherInputs } from './further.ts'
import { operators } from './operators.ts'
import { applyEdits, splitProgram, describeEdit } from './parts.ts'

export const makeMutants = (host: BenchmarkHost): MutantSupport<PublishedCase> => {
  const resolved = (tests: readonly ProgramTest[]): readonly ProgramTest[] => {
    const resolution = resolveTensors([...tests], (hash) => host.artifact?.(hash))
    return resolution.ok ? resolution.value : tests
  }
  return {
    mutate({ task }, _, rng) {
      const { program, init, load } = task.tests[0]!
      const parts = splitProgram(program, init, Object.keys(load))
      const applicable = operators
        .map(({ id, sites }) => ({ id, sites: sites(parts) }))
        .filter(({ sites }) => sites.length > 0)
      if (applicable.length === 0) return null
      const { id, sites } = rng.pick(applicable)
      const site = rng.pick(sites)
      return {
        mutant: writePublishedAnswer(applyEdits(program, site)),
        operator: id,
        site: describeEdit(program, site),
      }
    },
    furtherInputs: ({ task }, count, rng) =>
      createFurtherInputs({ ...task, tests: [...resolved(task.tests)] }, count, rng),
    expected: ({ task }) => resolved(task.tests).map(createExpectedObservation),
    isCaughtByComparison: ({ verdict }) => verdict === 'result_error',
    agree: (_, a, b) => isAgreeingObservation(a, b),
  }
}

/** A truth as the run that would have left it behind. */
function createExpectedObservation(test: ProgramTest): Observation {
  const isVoice = test.state?.some((one) => 'speech' in one) === true
  const calls = isVoice
    ? getTruthCalls(test).map(({ speech, voice }): [ReportedValue, ReportedValue] => [
        toTruthValue(speech),
        toTruthValue(voice),
      ])
    : []
  return {
    ending: {
      status: 'completed',
      result: {
        ended: 'completed',
        ...(test.result !== null && { result: toTruthValue(test.result) }),
        calls,
      },
    },
    world: {
      state: { items: isVoice ? [] : getTruthSessions(test) },
      ids: { initial: [], created: [] },
      gone: [],
    },
    log: [],
    output: '',
    faults: [],
    wallMs: 0,
    sandbox: truthMark,
  }
}
