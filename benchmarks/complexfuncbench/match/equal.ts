/**
 * Rule-based matching, the check of exact parameters, and what an unequal call has wrong (README, Published
 * behaviour 5).
 */
import type { CallError } from '../dialogue/decisions.ts'
import { EvaluatorCrash } from '../format/published.ts'
import type { PythonCall } from '../functions/free.ts'
import { arePythonEqual, type PythonValue } from '../python/value.ts'

/** Filters are lists of texts behind commas; their order does not count. */
const filterParameter = 'categories_filter'

function areFiltersEqual(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => new Set(text.split(',').map((part) => part.trim())))
  return one!.size === other!.size && [...one!].every((part) => other!.has(part))
}

/** Tells whether two values of a parameter are equal. */
export type ValuesEqual = (name: string, a: PythonValue, b: PythonValue) => boolean

export const valuesEqual: ValuesEqual = (name, a, b) =>
  name === filterParameter && typeof a === 'string' && typeof b === 'string'
    ? areFiltersEqual(a, b)
    : arePythonEqual(a, b)

/**
 * The released code splits every filter as a text.
 *
 * @throws EvaluatorCrash at one that is not a text, even beside an equal one
 */
export const publishedValuesEqual: ValuesEqual = (name, a, b) => {
  if (name === filterParameter && (typeof a !== 'string' || typeof b !== 'string'))
    throw new EvaluatorCrash(`${filterParameter} is not a text`)
  return valuesEqual(name, a, b)
}

/** The same function with the same parameters of equal values, compared in the order of the prediction. */
export const isRuleMatch = (a: PythonCall, b: PythonCall, areEqual: ValuesEqual = valuesEqual): boolean =>
  a.name === b.name &&
  a.args.size === b.args.size &&
  [...a.args.keys()].every((name) => b.args.has(name)) &&
  [...a.args].every(([name, value]) => areEqual(name, value, b.args.get(name)!))

/** Golden parameters that are missing or have another value. */
export const findWrongParameters = (prediction: PythonCall, golden: PythonCall): string[] =>
  [...golden.args].flatMap(([name, value]) => {
    const predictedValue = prediction.args.get(name)
    return predictedValue !== undefined && valuesEqual(name, predictedValue, value) ? [] : [name]
  })

export const wrongFunction: CallError = { type: 'func_error', says: 'Do not call the correct function.' }
const createMissingError = (name: string): CallError => ({
  type: 'param_missing',
  says: `Missing parameter ${name} in prediction.`,
})

/** Finds why two calls cannot match: another function, or an exact parameter that is missing or differs. */
export function findExactFault(
  prediction: PythonCall,
  golden: PythonCall,
  exact: readonly string[],
  areEqual: ValuesEqual = valuesEqual,
): CallError | null {
  if (prediction.name !== golden.name) return wrongFunction
  for (const [name, value] of golden.args) {
    if (!exact.includes(name)) continue
    const predictedValue = prediction.args.get(name)
    if (predictedValue === undefined) return createMissingError(name)
    if (!areEqual(name, predictedValue, value))
      return { type: 'value_error', says: `Parameter ${name} value is not correct in prediction.` }
  }
  return null
}

/** The first difference where no way of matching succeeded; null where the arguments are equal. */
export function findFirstDifference(
  prediction: PythonCall,
  golden: PythonCall,
  areEqual: ValuesEqual = valuesEqual,
): CallError | null {
  for (const [name, value] of golden.args) {
    const predictedValue = prediction.args.get(name)
    if (predictedValue === undefined) return createMissingError(name)
    if (!areEqual(name, predictedValue, value))
      return { type: 'value_error', says: `Parameter ${name} value do not equal to golden.` }
  }
  const extra = [...prediction.args.keys()].find((name) => !golden.args.has(name))
  return extra === undefined
    ? null
    : { type: 'param_hallucination', says: `Parameter ${extra} is hallucinated.` }
}
