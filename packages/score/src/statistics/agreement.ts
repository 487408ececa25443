/** The agreement of two judges on causes: the scorer and another model. */
import type { OpinionReport, ScoredSample } from '@stateeval/contracts'
import { createRng, type RandomSource } from '@stateeval/program'
import { interpolateQuantile } from './bootstrap.ts'
import type { NumberInterval } from './proportions.ts'
import { rateOutcomes } from './rate.ts'
import { roundNumber } from './rounded.ts'

/** One thing that both judges named, as numbers from 0. */
interface CausePair {
  case: string
  ours: number
  theirs: number
}

/**
 * Cohen's kappa (1960), (p − e) / (1 − e); null if no cause was named, or if both always name the same one.
 */
export function computeKappa(pairs: readonly Pick<CausePair, 'ours' | 'theirs'>[]): number | null {
  const [ours, theirs] = [new Map<number, number>(), new Map<number, number>()]
  let agreed = 0
  for (const pair of pairs) {
    ours.set(pair.ours, (ours.get(pair.ours) ?? 0) + 1)
    theirs.set(pair.theirs, (theirs.get(pair.theirs) ?? 0) + 1)
    if (pair.ours === pair.theirs) agreed++
  }
  const n = pairs.length
  let chance = 0
  for (const [cause, count] of ours) chance += count * (theirs.get(cause) ?? 0)
  // In whole numbers: no rounding decides whether there is something beyond chance.
  return n * n === chance ? null : (n * agreed - chance) / (n * n - chance)
}

const fewestCases = 5
const fewestDraws = 200
const maxPairs = 2_000_000

/**
 * Percentiles of kappa over resampled cases; null for fewer than five cases, or if most resamples have no
 * kappa.
 */
export function computeKappaInterval(pairs: readonly CausePair[], rng: RandomSource): NumberInterval | null {
  const cases = [...Map.groupBy(pairs, (pair) => pair.case).values()]
  if (cases.length < fewestCases || computeKappa(pairs) === null) return null
  const draws = Math.max(2 * fewestDraws, Math.min(2000, Math.floor(maxPairs / pairs.length)))
  const values: number[] = []
  for (let draw = 0; draw < draws; draw++) {
    const kappa = computeKappa(cases.flatMap(() => cases[rng.int(0, cases.length - 1)] as CausePair[]))
    if (kappa !== null) values.push(kappa)
  }
  if (values.length < draws / 2) return null
  const sortedValues = values.sort((a, b) => a - b)
  return [
    roundNumber(interpolateQuantile(sortedValues, 0.025)),
    roundNumber(interpolateQuantile(sortedValues, 0.975)),
  ]
}

/**
 * The report's section on a model's second opinions. `rootCauses` is the benchmark's list, in display
 * order. The same samples in the same order give the same bytes.
 */
export function buildOpinionReport(
  model: string,
  samples: readonly ScoredSample[],
  rootCauses: readonly string[],
): OpinionReport {
  const place = (cause: string) => rootCauses.indexOf(cause)
  const opinions = samples.flatMap(({ case: id, sample, score, secondOpinion }) =>
    secondOpinion
      ? [{ case: id, sample, ours: score?.evidence.rootCause?.cause, opinion: secondOpinion }]
      : [],
  )
  const givenOpinions = opinions.flatMap(({ opinion, ...rest }) =>
    'absent' in opinion ? [] : [{ ...rest, ...opinion }],
  )
  const both = givenOpinions.flatMap(({ ours, cause, ...rest }) =>
    ours === undefined || cause === 'unclear' ? [] : [{ ...rest, ours, theirs: cause }],
  )
  const pairs = both.map((one) => ({ case: one.case, ours: place(one.ours), theirs: place(one.theirs) }))
  const rate = rateOutcomes(pairs.map((pair) => ({ case: pair.case, passed: pair.ours === pair.theirs })))
  const kappa = computeKappa(pairs)
  const reasons = Map.groupBy(
    opinions.flatMap(({ opinion }) => ('absent' in opinion ? [opinion.absent] : [])),
    (reason) => reason,
  )
  const counted = (ours: string, theirs: string) =>
    givenOpinions.filter((one) => one.ours === ours && one.cause === theirs).length
  return {
    model,
    failed: opinions.length,
    unclear: givenOpinions.filter(({ cause }) => cause === 'unclear').length,
    absent: [...reasons]
      .map(([reason, { length }]) => ({ reason, samples: length }))
      .sort((a, b) => b.samples - a.samples),
    compared: rate.scored,
    agreed: rate.passed,
    share: rate.rate,
    interval: rate.interval,
    kappa: kappa === null ? null : roundNumber(kappa),
    kappaInterval: computeKappaInterval(pairs, createRng('second opinion')),
    causes: rootCauses.flatMap((ours) =>
      [...rootCauses, 'unclear']
        .map((theirs) => ({ ours, theirs, samples: counted(ours, theirs) }))
        .filter((one) => one.samples > 0),
    ),
    differ: both.flatMap(({ case: id, sample, ours, theirs, because }) =>
      ours === theirs ? [] : [{ case: id, sample, ours, theirs, because }],
    ),
  }
}
