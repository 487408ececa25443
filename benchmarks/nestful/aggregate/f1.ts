/** F1 over samples: macro over classes as the released code computes it, micro over counts under `sound`. */
import type { NestfulCase } from '../case.ts'
import { functionMark, parameterMark } from '../judge/marks.ts'
import { goldOf, setsOf } from '../judge/published.ts'
import { rounded } from '@stateeval/score'

export interface Judged {
  case: NestfulCase
  metrics: Readonly<Record<string, number>>
}

const f1 = (correct: number, predicted: number, gold: number): number =>
  correct === 0 ? 0 : (2 * correct) / (predicted + gold)

/** The marks of a case's gold calls. */
const goldMarks = new WeakMap<NestfulCase, { functions: string[]; parameters: string[] }>()
function marksOf(c: NestfulCase) {
  const entry = goldMarks.get(c)
  if (entry) return entry
  const { names, rows } = setsOf(goldOf(c.task.calls))
  const marks = {
    functions: [...names].map(functionMark),
    parameters: [...rows].flatMap(([name, row]) => [...row].map((argument) => parameterMark(name, argument))),
  }
  goldMarks.set(c, marks)
  return marks
}

/** The class of a mark: the function, or the argument's text whatever function it is of. */
const classOf = (mark: string) => mark.slice(mark.lastIndexOf('/') + 1)

/**
 * The mean of F1 over classes, which are the texts in gold only: unknown predicted names cost nothing. A
 * class that is never right has 0. A row is a sample, or a sample and a function.
 */
export function macroF1(samples: readonly Judged[], kind: 'function' | 'parameter'): number {
  const counts = new Map<string, { correct: number; predicted: number; gold: number }>()
  const of = (name: string) => {
    const entry = counts.get(name)
    if (entry) return entry
    const counter = { correct: 0, predicted: 0, gold: 0 }
    counts.set(name, counter)
    return counter
  }
  const golds = samples.map(
    (sample) => marksOf(sample.case)[kind === 'function' ? 'functions' : 'parameters'],
  )
  for (const marks of golds) for (const mark of marks) of(classOf(mark)).gold++
  for (const [at, { metrics }] of samples.entries()) {
    const gold = new Set(golds[at])
    for (const mark of Object.keys(metrics)) {
      if (!mark.startsWith(`${kind}/`)) continue
      const count = counts.get(classOf(mark))
      if (!count) continue
      count.predicted++
      if (gold.has(mark)) count.correct++
    }
  }
  if (counts.size === 0) return 0
  let sum = 0
  for (const { correct, predicted, gold } of counts.values()) sum += f1(correct, predicted, gold)
  return rounded(sum / counts.size)
}

/** All calls, or all arguments, counted together: what is invented costs precision. */
export function microF1(samples: readonly Judged[], kind: 'names' | 'arguments'): number {
  const total = (what: string) =>
    samples.reduce((sum, { metrics }) => sum + (metrics[`${kind}_${what}`] ?? 0), 0)
  return rounded(f1(total('correct'), total('predicted'), total('gold')))
}
