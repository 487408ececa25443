/** The baseline beside the strategies: in the growth table, in the plot, and in the parts of the result. */
import type { BenchPart } from '../../result.ts'
import type { Line } from '../plot.ts'
import { curve, deviation, mean, type Run } from '../measure.ts'
import type { Baseline } from './baseline.ts'

const colour = '#e08214'

export const lineOf = ({ adjacent }: Baseline, square: number): Line => ({
  name: 'llm-only',
  colour,
  values: adjacent.map((pairs) => pairs / square),
})

/** A row of adjacent transition coverage after so many programs; nothing where there are fewer. Its programs have an if/else where the model wants one. */
export function rowOf({ adjacent }: Baseline, at: readonly number[], square: number): string {
  const value = (n: number) =>
    adjacent[n - 1] === undefined ? '' : `– / ${(adjacent[n - 1]! / square).toFixed(2)}`
  return `| llm-only | ${at.map(value).join(' | ')} |`
}

/** Adjacent pairs after as many programs as the model gave: ours are those of a strategy with control flow, its own the peer. */
export function partsOf(
  { model, adjacent }: Baseline,
  runs: Readonly<Record<string, Run[]>>,
  scenario: string,
): BenchPart[] {
  const programs = adjacent.length
  const peer = adjacent.at(-1)
  if (peer === undefined) return []
  return Object.entries(runs).map(([strategy, of]) => {
    const each = of.map((run) => curve([run], 'adjacent', programs).at(-1) as number)
    return {
      name: `${strategy}, ${scenario}, after ${programs} programs (peer: llm-only of ${model})`,
      unit: 'adjacent pairs',
      ours: mean(each),
      peer,
      ...(peer > 0 && { ratio: mean(each) / peer }),
      spread: deviation(each),
    }
  })
}

/** Said where no model is named. */
export const howTo =
  'The paper’s LLM-only baseline, a model that writes programs from the documentation alone, joins with `--model NAME`: a model of the file that `STATEEVAL_MODELS_FILE` names, or one described with `--base-url`, `--model-id` and `--key-env` ([how](../perf/strategies/llm-only/README.md)).'
