/** Planned questions of a build from a specification. */
import type { SpecificationPlan } from '@stateeval/contracts'
import { formatTable } from '../terminal.ts'
import { formatPlural } from './format.ts'

type PlannedEndpoint = SpecificationPlan['endpoints'][number]

/** `2 path, 1 body`. */
const describeArguments = (endpoint: PlannedEndpoint): string =>
  Object.entries(endpoint.arguments ?? {})
    .filter(([, names]) => names.length > 0)
    .map(([location, names]) => `${names.length} ${location}`)
    .join(', ') || 'none'

export function planText({ endpoints, usable, questions, promptTokens }: SpecificationPlan): string {
  const wanted = endpoints.filter(({ skipped }) => skipped === undefined)
  const others = endpoints.filter(({ skipped }) => skipped !== undefined)
  const tokens = promptTokens === undefined ? '' : `, about ${promptTokens} prompt tokens`
  return [
    `${usable} of ${formatPlural(endpoints.length, 'endpoint')}: ${formatPlural(questions, 'question')} to a model${tokens}, without repetitions.`,
    ...(wanted.length > 0
      ? [
          formatTable(
            ['endpoint', 'arguments', 'authentication'],
            wanted.map((one) => [one.name, describeArguments(one), one.security?.join(', or ') || 'none']),
          ),
        ]
      : []),
    ...(others.length > 0
      ? [
          formatTable(
            ['skipped', 'because', 'detail'],
            others.map(({ name, skipped, detail }) => [name, skipped!, detail ?? '']),
          ),
        ]
      : []),
  ].join('\n\n')
}
