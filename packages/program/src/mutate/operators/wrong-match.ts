import type { Call, Expr, Program, Reference, Step } from '@stateeval/contracts'
import { atoms, isCall, type Path, references } from '../../expr.ts'
import { listAt } from '../known.ts'
import type { MutationOperator, Site } from '../operator.ts'
import {
  isEffect,
  nameOf,
  placesOf,
  producerOf,
  spellReference,
  withReferences,
  withSteps,
  withStep,
} from '../positions.ts'

/** All that a step says of one element goes to another one: id, source and data alike. */
export const wrongMatch: MutationOperator = {
  id: 'wrong_match',
  about: 'A step takes the next, the previous, the last or all elements of a list instead of the one meant',
  sites: (program, known) =>
    placesOf(program).flatMap(([place, step]) =>
      elementsIn(program, step).flatMap(({ variable, path }) => {
        const list = listAt(known, variable, path.slice(0, -1))
        const index = path.at(-1) as number
        // Spelled where somebody reads it.
        const where = () =>
          `${nameOf(place)}: ${spellReference({ kind: 'reference', variable, path: [...path] })}`
        const moved = (to: number) => movedTo(step, variable, path, to)
        const sites = others(index, list?.length).map((to): Site => ({
          get where() {
            return `${where()} → [${to}]`
          },
          change: () => withStep(program, place, moved(to)),
        }))
        return list && list.length > 1 && isCall(step) && isEffect(step) && isNamed(step, variable, path)
          ? [...sites, forAll(program, where, place, list.length, (to) => moved(to) as Call)]
          : sites
      }),
    ),
}

/** Whether a call names the element and sends nothing of it: only then would it do the same to the others. */
const isNamed = (call: Call, variable: string, path: Path) =>
  path.length === 1 &&
  (call.kind !== 'http' ||
    (call.method !== 'POST' &&
      !referencesIn(call.args[call.body ?? '']).some((reference) => reference.variable === variable)))
const referencesIn = (expr: Expr | undefined) =>
  expr ? atoms(expr).filter((atom) => atom.kind === 'reference') : []

/** The neighbours of an index, and the last one. */
function others(index: number, length: number | undefined): number[] {
  const all = new Set([index + 1, ...(index > 0 ? [index - 1] : []), ...(length ? [length - 1] : [])])
  all.delete(index)
  return [...all]
}

const forAll = (
  program: Program,
  where: () => string,
  place: Parameters<typeof nameOf>[0],
  length: number,
  step: (index: number) => Call,
): Site => ({
  get where() {
    return `${where()} → all`
  },
  change: () =>
    withSteps(program, place.block, (steps) =>
      steps.toSpliced(
        place.index,
        1,
        ...Array.from({ length }, (_one, index) => {
          const { binds: _, ...call } = step(index)
          return call
        }),
      ),
    ),
})

/**
 * The elements of lists that a step takes something from: a variable and the path up to an index, each once.
 * What the call that gave the list was given itself, such as the source of all sessions that it found, is the
 * same in every element.
 */
function elementsIn(program: Program, step: Step): { variable: string; path: Path }[] {
  const found = new Map<string, { variable: string; path: Path }>()
  for (const reference of references(step)) {
    const { variable, path } = reference
    const given = producerOf(program, variable)?.args ?? {}
    path.forEach((key, at) => {
      if (typeof key !== 'number' || Object.hasOwn(given, String(path[at + 1]))) return
      const part: Reference = { ...reference, path: path.slice(0, at + 1) }
      found.set(spellReference(part), part)
    })
  }
  return [...found.values()]
}

const movedTo = (step: Step, variable: string, path: Path, to: number) =>
  withReferences(step, (reference) =>
    reference.variable === variable && path.every((key, at) => key === reference.path[at])
      ? { ...reference, path: reference.path.with(path.length - 1, to) }
      : reference,
  )
