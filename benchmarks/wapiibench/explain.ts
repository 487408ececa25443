/** A judgement in sentences: which argument, where, what was expected and found, why it is illegal. */
import type { ValueDifference, JsonValue } from '@stateeval/contracts'
import { cutApart, cutText } from '@stateeval/program'
import { isCounted } from './judge/documented.ts'
import { words } from './judge/published.ts'
import type { RequestJudgement, JudgedArgument } from './judge/types.ts'

/** Length of a value, in an explanation. */
const longest = 300
/** Limit of one candidate. */
const maxArguments = 50

const formatJson = (value: JsonValue | undefined) => JSON.stringify(value) ?? 'nothing'
const formatShortJson = (value: JsonValue | undefined) => cutText(formatJson(value), longest)

export function explain(judgement: RequestJudgement): ValueDifference[] {
  if ('error' in judgement) return [{ where: 'answer', says: judgement.says }]
  const wrong = judgement.arguments
    .filter(({ verdict }) => verdict !== 'CORRECT')
    .filter(({ location, name }) => isCounted(location, name))
    .slice(0, maxArguments)
  return [
    ...judgement.says.map((says): ValueDifference => ({ where: 'endpoint', says })),
    ...wrong.map(explainArgument),
  ]
}

function explainArgument({
  location,
  name,
  verdict,
  expected,
  actual,
  why,
}: JudgedArgument): ValueDifference {
  const where = name === '' ? location : `${location}.${name}`
  const what = name === '' ? `what stands in ${location}` : `the ${words[location]} ${name}`
  switch (verdict) {
    case 'CORRECT':
    case 'INCORRECT_VALUE': {
      const [should, found] = cutApart(formatJson(expected), formatJson(actual), longest)
      return { where, expected: should, found, says: `${what} is ${found}; expected: ${should}` }
    }
    case 'MISSING_KEY':
      return {
        where,
        expected: formatShortJson(expected),
        says: `${what} is missing; expected: ${formatShortJson(expected)}`,
      }
    case 'UNNECESSARY_KEY':
      return { where, found: formatShortJson(actual), says: `${what} is unnecessary: ${why}` }
    case 'ILLEGAL_KEY':
      return { where, found: formatShortJson(actual), says: `${what} is illegal: ${why}` }
  }
}
