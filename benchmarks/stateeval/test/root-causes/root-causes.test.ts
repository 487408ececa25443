/**
 * How often the root cause is right: on hand-labelled failures of the kind that models make, and on mutants,
 * whose operators are split: the rules were written with an eye on one half, and are scored on the other,
 * also on cases that no rule has seen. The runs were recorded in the real sandbox (record.ts,
 * record-others.ts).
 */
import { expect, test } from '@jest/globals'
import { documentProgramApis, buildProgramCandidate } from '@stateeval/program'
import type { Case, Score } from '@stateeval/contracts'
import { causeKinds } from '../../root-cause/root-cause.ts'
import { findScenario } from '@stateeval/scenarios'
import { stateeval } from '../../index.ts'
import { scenario } from '../cases.ts'
import { listDocumentedEndpoints } from '../../expected-calls.ts'
import type { Label } from './labelled.ts'
import { heldOut, labelOf } from './labels.ts'
import {
  freshCases,
  freshMutants,
  otherCases,
  otherFailures,
  recordedCases,
  recordedFailures,
  recordedMutants,
  type RecordedMutant,
} from './recorded.ts'

const benchmark = stateeval({ scenario: (id) => findScenario(id)! })
const labels: readonly Label[] = [
  'documentation_misread',
  'instruction_not_followed',
  'implicit_state_mismanaged',
]

interface Judged {
  name: string
  label: Label
  kind?: string
  score: Score
}
const judge = (c: Case, code: string, observations: RecordedMutant['observations']): Score =>
  benchmark.score({ case: c, candidate: buildProgramCandidate({ answer: code, code, observations }) })

const labelled = (recorded: ReturnType<typeof recordedFailures>, cases: readonly Case[]): Judged[] =>
  recorded.map(({ name, case: at, cause, kind, language, code, observations }) => {
    const c = cases[at] as Case
    const where = language === undefined ? '' : `${c.scenario}, ${language}: `
    return { name: `${where}${name}`, label: cause, kind, score: judge(c, code, observations) }
  })
const mutants = (recorded: readonly RecordedMutant[], cases: readonly Case[]): Judged[] =>
  recorded.flatMap((mutant) => {
    const c = cases[mutant.case] as Case
    const label = labelOf(
      mutant,
      listDocumentedEndpoints(c, documentProgramApis(c.program, scenario, 'javascript')),
    )
    const score = judge(c, mutant.code, mutant.observations)
    return label === null || score.passed ? [] : [{ name: `${mutant.operator} ${mutant.site}`, label, score }]
  })
const failures = labelled(recordedFailures(), recordedCases())
const others = labelled(otherFailures(), otherCases())
const knownMutants = mutants(
  recordedMutants().filter(({ operator }) => !heldOut.includes(operator)),
  recordedCases(),
)
const heldOutMutants = mutants(
  recordedMutants().filter(({ operator }) => heldOut.includes(operator)),
  recordedCases(),
)

const causeOf = ({ score }: Judged) => score.evidence.rootCause?.cause
const right = (judged: readonly Judged[]) => judged.filter((one) => causeOf(one) === one.label).length

/** The confusion matrix as text: a row a label, a column a found cause. */
function matrix(title: string, judged: readonly Judged[]): string {
  const short = (label: string) => label.split('_')[0] as string
  const rows = labels.map((label) => {
    const ofLabel = judged.filter((one) => one.label === label)
    return [short(label), ...labels.map((column) => ofLabel.filter((one) => causeOf(one) === column).length)]
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
  console.info(matrix('operators written on', knownMutants))
  expect(right(knownMutants) / knownMutants.length).toBeGreaterThanOrEqual(0.9)
})

test('mutants of the operators held out', () => {
  console.info(matrix('operators held out', heldOutMutants))
  expect(heldOutMutants.length).toBeGreaterThanOrEqual(40)
  expect(right(heldOutMutants) / heldOutMutants.length).toBeGreaterThanOrEqual(0.9)
})

test('mutants of the operators held out, of cases drawn once the rules were done', () => {
  const fresh = mutants(freshMutants(), freshCases())
  console.info(matrix('operators held out, fresh cases', fresh))
  expect(fresh.length).toBeGreaterThanOrEqual(40)
  expect(right(fresh) / fresh.length).toBeGreaterThanOrEqual(0.9)
})

test('hand-labelled failures in Python, with functions and with tools', () => {
  expect(others.length).toBeGreaterThanOrEqual(12)
  expect(others.filter(({ score }) => score.passed).map(({ name }) => name)).toEqual([])
  const kinds = others.filter((one) => one.score.evidence.rootCause?.kind === one.kind).length
  console.info(`${matrix('failures elsewhere', others)}\nthe very kind: ${kinds} of ${others.length}`)
  expect(right(others) / others.length).toBeGreaterThanOrEqual(0.9)
})

test('every cause has its kind, a sentence, and the same text in every run', () => {
  const all = Object.entries(causeKinds).flatMap(([cause, kinds]) => kinds.map((kind) => `${cause}/${kind}`))
  for (const { score, name } of [...failures, ...others, ...knownMutants, ...heldOutMutants]) {
    const {
      cause,
      kind,
      because,
      expected = '',
      found = '',
    } = score.evidence.rootCause ?? { cause: '', because: '' }
    expect([name, all]).toEqual([name, expect.arrayContaining([`${cause}/${kind}`])])
    expect(because).toMatch(/\S/)
    expect(`${because} ${expected} ${found}`).not.toMatch(
      /127\.0\.0\.1|(?!507f1f77bcf86cd799439011)[0-9a-f]{24}/,
    )
  }
})
