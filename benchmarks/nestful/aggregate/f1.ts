/** F1 over samples: macro over classes as the released code computes it, micro over counts under `sound`. */
import type { NestfulCase } from '../case.ts'
import { formatFunctionMark, formatParameterMark } from '../judge/marks.ts'
import { loadGold, collectSets } from '../judge/published.ts'
import { roundNumber } from '@stateeval/score'

export interface JudgedCase {
  case: NestfulCase
  metrics: Readonly<Record<string, number>>
}

/** A measure, and what it is without each case. */
export interface F1 {
  value: number
  without: number[]
}

const computeF1 = (correct: number, predicted: number, gold: number): number =>
  correct === 0 ? 0 : (2 * correct) / (predicted + gold)

/** The marks of a case's gold calls. */
const goldMarks = new WeakMap<NestfulCase, { functions: string[]; parameters: string[] }>()
function collectGoldMarks(c: NestfulCase) {
  const entry = goldMarks.get(c)
  if (entry) return entry
  const { names, rows } = collectSets(loadGold(c.task.calls))
  const marks = {
    functions: [...names].map(formatFunctionMark),
    parameters: [...rows].flatMap(([name, row]) =>
      [...row].map((argument) => formatParameterMark(name, argument)),
    ),
  }
  goldMarks.set(c, marks)
  return marks
}

/** The class of a mark: the function, or the argument's text whatever function it is of. */
const getMarkClass = (mark: string) => mark.slice(mark.lastIndexOf('/') + 1)

/**
 * The mean of F1 over classes, which are the texts in gold only: unknown predicted names cost nothing. A
 * class that is never right has 0. A row is a sample, or a sample and a function.
 */
export function computeMacroF1(samples: readonly JudgedCase[], kind: 'function' | 'parameter'): F1 {
  type Count = { correct: number; predicted: number; gold: number }
  const add = (counts: Map<string, Count>, mark: string, what: keyof Count) => {
    const count = counts.get(getMarkClass(mark)) ?? { correct: 0, predicted: 0, gold: 0 }
    count[what]++
    counts.set(getMarkClass(mark), count)
  }
  const total = new Map<string, Count>()
  const byCase = new Map<NestfulCase, Map<string, Count>>()
  for (const { case: c } of samples) {
    const own = byCase.get(c) ?? new Map<string, Count>()
    byCase.set(c, own)
    for (const mark of collectGoldMarks(c)[kind === 'function' ? 'functions' : 'parameters'])
      for (const counts of [total, own]) add(counts, mark, 'gold')
  }
  for (const { case: c, metrics } of samples) {
    const gold = new Set(collectGoldMarks(c)[kind === 'function' ? 'functions' : 'parameters'])
    for (const mark of Object.keys(metrics)) {
      if (!mark.startsWith(`${kind}/`) || !total.has(getMarkClass(mark))) continue
      for (const counts of [total, byCase.get(c)!]) {
        add(counts, mark, 'predicted')
        if (gold.has(mark)) add(counts, mark, 'correct')
      }
    }
  }
  const of = ({ correct, predicted, gold }: Count) => computeF1(correct, predicted, gold)
  const sum = total.values().reduce((all, one) => all + of(one), 0)
  const mean = (part: number, classes: number) => (classes === 0 ? 0 : part / classes)
  const without = [...byCase.values()].map((own) => {
    let [rest, classes] = [sum, total.size]
    for (const [name, { correct, predicted, gold }] of own) {
      const all = total.get(name)!
      const left = {
        correct: all.correct - correct,
        predicted: all.predicted - predicted,
        gold: all.gold - gold,
      }
      rest -= of(all)
      if (left.gold === 0) classes--
      else rest += of(left)
    }
    return mean(rest, classes)
  })
  return { value: roundNumber(mean(sum, total.size)), without }
}

/** All calls, or all arguments, counted together: what is invented costs precision. */
export function computeMicroF1(samples: readonly JudgedCase[], kind: 'names' | 'arguments'): F1 {
  const totalOf = (list: readonly JudgedCase[]) =>
    (['correct', 'predicted', 'gold'] as const).map((what) =>
      list.reduce((sum, { metrics }) => sum + (metrics[`${kind}_${what}`] ?? 0), 0),
    ) as [number, number, number]
  const total = totalOf(samples)
  const without = [...Map.groupBy(samples, (one) => one.case).values()].map((own) => {
    const part = totalOf(own)
    return computeF1(total[0] - part[0], total[1] - part[1], total[2] - part[2])
  })
  return { value: roundNumber(computeF1(...total)), without }
}
