/** When a case is answered by tool calls, what such a dialogue may take, and which options fit. */
import type { EpisodeOptions } from '@stateeval/contracts'
import type { LimitRange } from '@stateeval/program'

export const isToolMode = ({ mode }: Pick<EpisodeOptions, 'mode'>) => mode === 'tools'

/** Limits of each input's dialogue. */
export const limits: LimitRange = {
  usual: { turns: 60, calls: 200, tokens: 200_000, seconds: 3600 },
  most: { turns: 500, calls: 1000 },
}

/** Replies without a call, one after the other, that end a dialogue. */
export const mostSilent = 2

/** The verdicts of such a dialogue, in the order in which they are shown. */
export const toolVerdicts = [
  'passed',
  'no_result',
  'result_error',
  'timeout',
  'resource_limit',
  'infrastructure_error',
] as const

/** The field of an option that does not fit the mode, with the remedy; null where all fit. */
export function findRefusedOption(options: EpisodeOptions): { field: string; says: string } | null {
  const { language, prompting, documentation = 'full', limits: given } = options
  const refuse = (field: string, says: string) => ({ field: `/${field}`, says })
  if (!isToolMode(options))
    return given === undefined
      ? null
      : refuse('limits', 'programs have no dialogue limits; leave limits out, or set mode to tools')
  if (language !== undefined)
    return refuse('language', 'tool calls have no language; leave language out, or set mode to program')
  if (prompting !== 'direct')
    return refuse(
      'prompting',
      `mode tools supports only the prompting direct, not ${prompting}; set it to direct`,
    )
  if (documentation !== 'full')
    return refuse('documentation', 'in mode tools the tools are the documentation; set documentation to full')
  return null
}
