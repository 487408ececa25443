/** The composition of the published set (paper, section 2.2 and Table 3): its domains, steps and calls. */
import { ProblemError } from '@stateeval/contracts'
import { type SampleTemplate, type TravelDomain, travelDomains } from './template.ts'

/** The paper's Table 3: share of the samples in percent, average steps and calls. */
const paper: Readonly<Record<TravelDomain, { share: number; steps: number; calls: number }>> = {
  Hotels: { share: 15, steps: 3.33, calls: 4.29 },
  Flights: { share: 15, steps: 3.33, calls: 5.33 },
  'Car-Rental': { share: 15, steps: 2.87, calls: 4.57 },
  Attraction: { share: 15, steps: 2.86, calls: 3.6 },
  Cross: { share: 40, steps: 3.5, calls: 6 },
}

/**
 * A template for each sample: the domain that lacks most of its share, and of its templates the one that
 * brings the averages closest to the paper's; of equal ones the first.
 */
export function drawComposition(templates: readonly SampleTemplate[], samples: number): SampleTemplate[] {
  const lacking = travelDomains.find((domain) => templates.every((one) => one.domain !== domain))
  if (lacking !== undefined)
    throw new ProblemError('unprocessable', `no sample of ${lacking} can be generalised`, '/composition')
  const chosen: SampleTemplate[] = []
  for (let at = 0; at < samples; at++) {
    const lacks = (domain: TravelDomain) =>
      (paper[domain].share * (at + 1)) / 100 - chosen.filter((one) => one.domain === domain).length
    const domain = travelDomains.reduce((best, one) => (lacks(one) > lacks(best) ? one : best))
    const members = chosen.filter((one) => one.domain === domain)
    const candidates = templates.filter((one) => one.domain === domain)
    const distance = (one: SampleTemplate) => measureDistance([...members, one], paper[domain])
    chosen.push(candidates.reduce((best, one) => (distance(one) < distance(best) ? one : best)))
  }
  return chosen
}

function measureDistance(
  members: readonly SampleTemplate[],
  target: { steps: number; calls: number },
): number {
  const mean = (value: (template: SampleTemplate) => number) =>
    members.reduce((sum, one) => sum + value(one), 0) / members.length
  return (
    Math.abs(mean(({ turns }) => turns.length) - target.steps) +
    Math.abs(mean(({ turns }) => turns.flat().length) - target.calls)
  )
}

/** The paper's row of a domain, for a data card. */
export const getPaperRow = (domain: string) =>
  Object.hasOwn(paper, domain) ? paper[domain as TravelDomain] : null
