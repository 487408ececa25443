/** Options that depend on the benchmark: the problem names the field and what there is. */
import { type EvaluationOptions, ProblemError } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'

function oneOf(field: string, value: string, known: readonly string[]): void {
  if (!known.includes(value))
    throw new ProblemError(
      'unprocessable',
      `${field} ${JSON.stringify(value)} is not known to this benchmark; there are: ${known.join(', ') || 'none'}`,
      `/${field}`,
    )
}
export function checkPrompting(
  benchmark: Benchmark,
  options: Pick<EvaluationOptions, 'language' | 'prompting' | 'setup' | 'layout'>,
): void {
  const { language, prompting, setup, layout } = options
  oneOf('language', language, benchmark.languages)
  oneOf('prompting', prompting, benchmark.promptings)
  if (setup !== undefined) oneOf('setup', setup, benchmark.setups ?? [])
  if (layout !== undefined) oneOf('layout', layout, benchmark.layouts ?? [])
}
export function checkOptions(benchmark: Benchmark, options: EvaluationOptions): void {
  checkPrompting(benchmark, options)
  if (options.policy !== undefined) oneOf('policy', options.policy, benchmark.policies)
  if (options.settings !== undefined)
    oneOf('settings', options.settings, Object.keys(benchmark.settings ?? {}))
}
