/** The solved cases that a model is shown under `few-shot`: drawn by seed from the same set, once for all samples of a case. */
import type { BenchmarkCase, EvaluationOptions } from '@stateeval/contracts'
import { type Benchmark, createRng } from '@stateeval/program'
import type { Sets } from './sets.ts'

/**
 * In the order in which they are shown; fewer where the set has no more that may stand beside this case, undefined under
 * another prompting. What may stand there is the benchmark's to say: never the case itself.
 */
export async function examplesFor(
  context: { sets: Sets },
  set: string,
  benchmark: Benchmark,
  c: BenchmarkCase,
  {
    prompting,
    shots = 3,
    seed,
  }: Partial<Pick<EvaluationOptions, 'shots'>> & Pick<EvaluationOptions, 'prompting' | 'seed'>,
): Promise<BenchmarkCase[] | undefined> {
  if (prompting !== 'few-shot') return undefined
  const ids = await context.sets.ids(set)
  const order = createRng(`few-shot/${seed}/${c.id}`).shuffle(ids.map((_, at) => at))
  const examples: BenchmarkCase[] = []
  for (const at of order) {
    if (examples.length === shots) break
    const other = await context.sets.case(set, at)
    if (other.id !== c.id && benchmark.mayShow?.(c, other)) examples.push(other)
  }
  return examples
}
