/**
 * How often the root cause is right: on hand-labelled failures of the kind that models make, and on mutants, whose operators
 * are split: the rules were written with an eye on one half, and are scored on the other. The runs were recorded in the
 * real sandbox (record.ts).
 */
import { expect, test } from '@jest/globals'
import type { Case, Score } from '@stateeval/contracts'
import { mutationOperators } from '@stateeval/program'
import { causeKinds } from '@stateeval/score'
import { benchmark, scenario } from '../cases.ts'
import { endpointsOf } from '../../expected-calls.ts'
import type { Label } from './labelled.ts'
import { labelOf } from './labels.ts'
import { recordedCases, recordedFailures, recordedMutants } from './recorded.ts'

const cases = recordedCases()
const labels: readonly Label[] = ['documentation_misread', 'instruction_not_followed', 'implicit_state_mismanaged']

interface Judged {
  name: string
  label: Label
  kind?: string
  score: Score
}
const judge = (at: number, code: string, observations: ReturnType<typeof recordedFailures>[number]['observations']): Score =>
  benchmark.score({ case: cases[at] as Case, candidate: { answer: code, code, observations } })

const failures: Judged[] = recordedFailures().map(({ name, case: at, cause, kind, code, observations }) => ({
  name,
  label: cause,
  kind,
  score: judge(at, code, observations),
}))
const mutants = (half: 0 | 1): Judged[] => {
  const operators = mutationOperators.map(({ id }) => id).filter((_, n) => n % 2 === half)
  return recordedMutants()
    .filter(({ operator }) => operators.includes(operator))
    .flatMap((mutant) => {
      const c = cases[mutant.case] as Case
      const label = labelOf(mutant, endpointsOf(c, scenario.documentation('javascript')))
      const score = judge(mutant.case, mutant.code, mutant.observations)
      return label === null || score.passed ? [] : [{ name: `${mutant.operator} ${mutant.site}`, label, score }]
    })
}

const causeOf = ({ score }: Judged) => score.evidence.rootCause?.cause
const right = (judged: readonly Judged[]) => judged.filter((one) => causeOf(one) === one.label).length

/** The confusion matrix as text: a row a label, a column a found cause. */
function matrix(title: string, judged: readonly Judged[]): string {
  const short = (label: string) => label.split('_')[0] as string
  const rows = labels.map((label) => {
    const own = judged.filter((one) => one.label === label)
    return [short(label), ...labels.map((found) => own.filter((one) => causeOf(one) === found).length)]
  })
  const lines = [['labelled \\ found', ...labels.map(short)], ...rows].map((cells) =>
    cells
      .map((cell) => String(cell).padEnd(17))
      .join('')
      .trimEnd(),
  )
  const wrong = judged
    .filter((one) => causeOf(one) !== one.label)
    .map(
      ({ name, label, score }) =>
        `  ${short(label)} ≠ ${score.verdict}, ${score.evidence.rootCause?.kind}: ${name}: ${score.evidence.rootCause?.because}`,
    )
  const share = ((100 * right(judged)) / judged.length).toFixed(1)
  return [
    `${title}: ${right(judged)} of ${judged.length} right (${share} %)`,
    ...lines,
    ...(wrong.length ? ['not right:', ...wrong] : []),
  ].join('\n')
}

test('hand-labelled failures', () => {
  expect(failures.length).toBeGreaterThanOrEqual(60)
  expect(failures.filter(({ score }) => score.passed).map(({ name }) => name)).toEqual([])
  const kinds = failures.filter((one) => one.score.evidence.rootCause?.kind === one.kind).length
  console.info(`${matrix('hand-labelled failures', failures)}\nthe very kind: ${kinds} of ${failures.length}`)
  expect(right(failures) / failures.length).toBeGreaterThanOrEqual(0.9)
})

test('mutants of the operators that the rules were written on', () => {
  const judged = mutants(0)
  console.info(matrix('operators written on', judged))
  expect(right(judged) / judged.length).toBeGreaterThanOrEqual(0.9)
})

test('mutants of the other operators', () => {
  const judged = mutants(1)
  console.info(matrix('operators held out', judged))
  expect(judged.length).toBeGreaterThanOrEqual(40)
  expect(right(judged) / judged.length).toBeGreaterThanOrEqual(0.8)
})

test('every cause has its kind, a sentence, and the same text in every run', () => {
  const all = Object.entries(causeKinds).flatMap(([cause, kinds]) => kinds.map((kind) => `${cause}/${kind}`))
  for (const { score, name } of [...failures, ...mutants(0), ...mutants(1)]) {
    const { cause, kind, because, expected = '', found = '' } = score.evidence.rootCause ?? { cause: '', because: '' }
    expect([name, all]).toEqual([name, expect.arrayContaining([`${cause}/${kind}`])])
    expect(because).toMatch(/\S/)
    expect(`${because} ${expected} ${found}`).not.toMatch(/127\.0\.0\.1|(?!507f1f77bcf86cd799439011)[0-9a-f]{24}/)
  }
})
