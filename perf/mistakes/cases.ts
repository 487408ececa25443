/**
 * Programs with their inputs on real values, and what running a program on one of them shows, as the
 * benchmark compares it.
 */
import type { ExecutionInput, JsonValue, Program } from '@stateeval/contracts'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import {
  cloneJson,
  type ComparisonRules,
  createRng,
  listInputs,
  interpret,
  type Interpretation,
  type KnownAnswers,
  collectKnownAnswers,
  resolveTensors,
  type Scenario,
} from '@stateeval/program'
import { compare } from '@stateeval/score'

/** A program with what it shows on each input of its case. */
export interface Example {
  program: Program
  facts: KnownAnswers
  comparison: ComparisonRules
  runs: { input: ExecutionInput; run: Interpretation }[]
}

export function* examples(
  scenario: Scenario,
  seed: number,
  count: number,
  options: Partial<GenerateOptions> = {},
): Generator<Example> {
  for (const { program, artifacts = {} } of generate(scenario, {
    ...defaultOptions,
    ...options,
    seed,
    count,
  })) {
    const inputs = listInputs(program).map((input) => {
      const resolution = resolveTensors(input, (hash) => artifacts[hash])
      if (!resolution.ok) throw new Error(resolution.says)
      return resolution.value
    })
    yield {
      program,
      facts: collectKnownAnswers(program, scenario),
      comparison: scenario.compareFor?.(program) ?? scenario.compare,
      runs: inputs.map((input) => ({ input, run: interpret(program, scenario, input) })),
    }
  }
}

/** What the calls of a program answer on each of its inputs. */
export const answersOn = ({ program, runs }: Example, scenario: Scenario): ReadonlyMap<string, JsonValue>[] =>
  runs.map(({ input }) => {
    const answers = new Map<string, JsonValue>()
    interpret(program, scenario, input, ({ binds }, { output }) => {
      if (binds && output !== undefined) answers.set(binds, cloneJson(output))
    })
    return answers
  })

/** Further inputs, near the case's own or far off, with what the reference shows there. */
export const furtherRuns = ({ program }: Example, scenario: Scenario, wide: boolean, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const input = scenario.vary(
      program,
      createRng(`further/${program.id}/${wide ? 'wide' : 'near'}/${n}`),
      wide,
    )
    return { input, run: interpret(program, scenario, input) }
  })

/** Whether a program shows something else than the reference on one of these inputs. */
export const differs = (
  mutant: Program,
  scenario: Scenario,
  { comparison }: Pick<Example, 'comparison'>,
  runs: Example['runs'],
): boolean =>
  runs.some(({ input, run }) => {
    const other = interpret(mutant, scenario, input)
    if (!run.ok || !other.ok) return run.ok !== other.ok
    return !compare(outcomeOf(run), outcomeOf(other), comparison).equal
  })

const outcomeOf = ({ result, world }: { result: JsonValue; world: Interpretation['world'] }) => ({
  result,
  world,
})
