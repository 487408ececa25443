/** Names and counts for people. */
import { inPercent } from '@stateeval/contracts/percent'

export { inPercent }

/** `path_depth` and `bindingCount` as words. */
export const words = (identifier: string) =>
  identifier
    .replaceAll('_', ' ')
    .replaceAll(
      /([a-z])([A-Z])(?=[a-z])/g,
      (_, before: string, first: string) => `${before} ${first.toLowerCase()}`,
    )
/** `1 sample`, `2 samples`; nouns with an irregular plural name it. */
export const plural = (count: number, one: string, several = `${one}s`) =>
  `${count} ${count === 1 ? one : several}`
export const percent = (share: number | null) => (share === null ? '–' : `${inPercent(share)} %`)
/** Empty without an interval. */
export const interval = (range: readonly [number, number] | null) =>
  range === null ? '' : `${inPercent(range[0])}–${inPercent(range[1])} %`

/** How canaries found warm jails, such as `412 of 412 clean`. */
export const formatCanaries = ({ clean, touched }: { clean: number; touched: number }): string =>
  `${clean} of ${clean + touched} clean`
