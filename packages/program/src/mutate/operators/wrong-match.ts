import type { Call, Expr, Program, VariableReference, ProgramStep } from '@stateeval/contracts'
import { listAtoms, isCall, type ValuePath, listReferences } from '../../expr.ts'
import { findKnownList } from '../known.ts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { isEffect, placesOf, findProducerApi, formatPlainReference, withReferences } from '../positions.ts'

/** Every reference of a step to one element refers to another: id, source and data alike. */
export const wrongMatch: MutationOperator = {
  id: 'wrong_match',
  about: 'A step takes the next, the previous, the last or all elements of a list instead of the one meant',
  sites(program, facts) {
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program))
      for (const { variable, path } of listTakenElements(program, step)) {
        const list = findKnownList(facts, variable, path.slice(0, -1))
        const part: VariableReference = { kind: 'reference', variable, path: [...path] }
        for (const to of listOtherIndices(path.at(-1) as number, list?.length)) {
          const make = () => [moveElement(step, variable, path, to)]
          sites.push(new StepSite(program, place, make, () => `: ${formatPlainReference(part)} → [${to}]`))
        }
        if (list && list.length > 1 && isCall(step) && isEffect(step) && isNamed(step, variable, path)) {
          const all = () => list.map((_, to) => removeOutput(moveElement(step, variable, path, to) as Call))
          sites.push(new StepSite(program, place, all, () => `: ${formatPlainReference(part)} → all`))
        }
      }
    return sites
  },
}

const removeOutput = ({ binds: _, ...call }: Call): Call => call

/**
 * Tells whether a call names the element and sends no part of it: only then would it do the same to the
 * others.
 */
const isNamed = (call: Call, variable: string, path: ValuePath) =>
  path.length === 1 &&
  (call.kind !== 'http' ||
    (call.method !== 'POST' &&
      !listExprReferences(call.args[call.body ?? '']).some((reference) => reference.variable === variable)))
const listExprReferences = (expr: Expr | undefined) =>
  expr ? listAtoms(expr).filter((atom) => atom.kind === 'reference') : []

/** The neighbours of an index, and the last one. */
function listOtherIndices(index: number, length: number | undefined): number[] {
  const all = new Set([index + 1, ...(index > 0 ? [index - 1] : []), ...(length ? [length - 1] : [])])
  all.delete(index)
  return [...all]
}

/**
 * The elements of lists that a step takes something from: a variable and the path up to an index, each once.
 * What the call that gave the list was given itself, such as the source of all sessions that it found, is the
 * same in every element.
 */
function listTakenElements(program: Program, step: ProgramStep): { variable: string; path: ValuePath }[] {
  const elements: { variable: string; path: ValuePath }[] = []
  for (const { variable, path } of listReferences(step)) {
    if (!path.some((key) => typeof key === 'number')) continue
    const producerArgs = findProducerApi(program, variable)?.args ?? {}
    path.forEach((key, at) => {
      if (typeof key !== 'number' || Object.hasOwn(producerArgs, String(path[at + 1]))) return
      const part = { variable, path: path.slice(0, at + 1) }
      if (!elements.some((other) => isSame(other, part))) elements.push(part)
    })
  }
  return elements
}
const isSame = (a: { variable: string; path: ValuePath }, b: { variable: string; path: ValuePath }) =>
  a.variable === b.variable &&
  a.path.length === b.path.length &&
  a.path.every((key, at) => key === b.path[at])

const moveElement = (step: ProgramStep, variable: string, path: ValuePath, to: number) =>
  withReferences(step, (reference) =>
    reference.variable === variable && path.every((key, at) => key === reference.path[at])
      ? { ...reference, path: reference.path.with(path.length - 1, to) }
      : reference,
  )
