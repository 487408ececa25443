/** Names and counts for people. */
import type { AnswerEnding, MissingAnswers, RateBracket, Measures } from '@stateeval/contracts'
import { computeBracket } from '@stateeval/contracts/bracket'
import { formatPercent } from '@stateeval/contracts/percent'

export { formatPercent }

/** `path_depth` and `bindingCount` as words. */
export const splitWords = (identifier: string) =>
  identifier
    .replaceAll('_', ' ')
    .replaceAll(
      /([a-z])([A-Z])(?=[a-z])/g,
      (_, before: string, first: string) => `${before} ${first.toLowerCase()}`,
    )
/** `1 sample`, `2 samples`; nouns with an irregular plural name it. */
export const formatPlural = (count: number, one: string, several = `${one}s`) =>
  `${count} ${count === 1 ? one : several}`
/** A share as a percentage; a dash if there is none. */
export const formatShare = (share: number | null) => (share === null ? '–' : `${formatPercent(share)} %`)
/** Empty without an interval. */
export const formatInterval = (range: readonly [number, number] | null) =>
  range === null ? '' : `${formatPercent(range[0])}–${formatPercent(range[1])} %`

/** How canaries found warm jails, such as `412 of 412 clean`. */
export const formatCanaries = ({ clean, touched }: { clean: number; touched: number }): string =>
  `${clean} of ${clean + touched} clean`

const endingRemedies: Record<AnswerEnding['kind'], (mark: string) => string> = {
  leftover: (mark) =>
    `end in the special token ${mark}, which the server leaves in the text. Add it to "stop" among the model’s parameters, or correct the server’s chat template.`,
  thought: (mark) =>
    `end within a thought (${mark}). Raise max_tokens among the model’s parameters, or start the server’s reasoning parser.`,
  finish: (mark) =>
    `end with the finish reason ${mark}. ${
      mark === 'length'
        ? 'Raise max_tokens among the model’s parameters.'
        : mark === 'content_filter'
          ? 'The endpoint withholds them: change its filter, or choose another endpoint.'
          : 'Look it up in the endpoint’s documentation.'
    }`,
}

/** A warning about answers that end in the same unusual way. */
export const describeEnding = ({ kind, mark, answers, of }: AnswerEnding): string =>
  `${answers} of ${formatPlural(of, 'answer')} (${formatShare(answers / of)}) ${endingRemedies[kind](mark)}`

/** How much of a benchmark the given answers cover, and what the rest counts as. */
export const describeMissingAnswers = ({ samples, of, count }: MissingAnswers): string =>
  `${of - samples} of ${formatPlural(of, 'sample')} answered. ${
    count === 'failed'
      ? 'The others count as failed, unless answers are given as partial.'
      : 'The others have no score, as the answers were given as partial.'
  }`

/** The pass rate of counted samples, and its bracket if some have no score. */
export function rateCounts({ scored, passed, notScored }: SampleCounts): BracketedRate {
  const bracket = computeBracket(passed, scored, notScored)
  return { rate: scored === 0 ? null : passed / scored, ...(bracket && { bracket }) }
}
interface SampleCounts {
  scored: number
  passed: number
  notScored: number
}
export interface BracketedRate {
  rate: number | null
  bracket?: RateBracket | null
}

/** A rate, and in brackets its ends if samples without a score counted as failed and as passed. */
export const formatRate = ({ rate, bracket }: BracketedRate) =>
  bracket ? `${formatShare(rate)} [${formatInterval(bracket)}]` : formatShare(rate)

/** The same for a measure of a benchmark, in the benchmark's form of numbers. */
export function measureText(
  measures: Pick<Measures, 'values' | 'brackets'> | undefined,
  name: string,
  text: (name: string, value: number | null | undefined) => string,
): string {
  const value = text(name, measures?.values[name])
  const [low, high] = measures?.brackets?.[name] ?? []
  return low === undefined ? value : `${value} [${text(name, low)}–${text(name, high)}]`
}
