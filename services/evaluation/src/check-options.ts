/** Options that depend on the benchmark: the problem names the field and what there is. */
import { type EvaluationOptions, type Language, type ModelSettings, ProblemError } from '@stateeval/contracts'
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
  if (language !== undefined && !benchmark.languages)
    throw new ProblemError(
      'unprocessable',
      `${benchmark.id} has no programs; leave language out`,
      '/language',
    )
  if (language !== undefined) oneOf('language', language, benchmark.languages ?? [])
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

/** The language of programs where none is named; undefined where the benchmark has none. */
export const usualLanguage = ({ languages = [] }: Pick<Benchmark, 'languages'>): Language | undefined =>
  languages.includes('javascript') ? 'javascript' : languages[0]

/** Plain completions are one text. A dialogue that needs more of a chat would be another one. */
export function checkChat(
  benchmark: Benchmark,
  options: EvaluationOptions,
  { api = 'chat' }: ModelSettings,
  field: string,
): void {
  if (api === 'chat') return
  if (api === 'embeddings')
    throw new ProblemError(
      'unprocessable',
      'this model gives embeddings and answers nothing; name a model of api chat',
      field,
    )
  const lacks = [...(benchmark.chat?.(options) ?? []), ...(options.prompting === 'reflect' ? ['roles'] : [])]
  if (lacks.length > 0)
    throw new ProblemError(
      'unprocessable',
      `the completions API has no tools and no roles, and this evaluation needs ${[...new Set(lacks)].join(' and ')}; name a model of api chat`,
      field,
    )
}
