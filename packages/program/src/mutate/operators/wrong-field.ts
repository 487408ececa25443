import type { JsonValue, Program } from '@stateeval/contracts'
import { readPath } from '../../expr.ts'
import { describeType } from '../../json.ts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { getInitialValue, placesOf, slotsOf, formatPlainReference } from '../positions.ts'

export const wrongField: MutationOperator = {
  id: 'wrong_field',
  about: 'Another field of the same variable is used',
  sites(program) {
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program))
      for (const { argument, name, atom, put } of slotsOf(step)) {
        const last = atom.kind === 'reference' ? atom.path.at(-1) : undefined
        if (atom.kind !== 'reference' || last === undefined) continue
        for (const key of listSiblingFields(program, atom.variable, atom.path)) {
          const value = { ...atom, path: [...atom.path.slice(0, -1), key] }
          const spell = () => `.${name}: ${formatPlainReference(atom)} → ${key}`
          sites.push(new StepSite(program, place, () => [put(value)], spell, { argument, own: atom, value }))
        }
      }
    return sites
  },
}

/**
 * The other fields of the object that holds a part of a variable of the user, where they hold the same type.
 */
function listSiblingFields(program: Program, variable: string, path: readonly (string | number)[]): string[] {
  const value = getInitialValue(program, variable)
  const parent = path.length === 1 ? value : readPath(value, path.slice(0, -1))
  if (parent === null || typeof parent !== 'object' || Array.isArray(parent)) return []
  const fields = parent as Record<string, JsonValue>
  const last = String(path.at(-1))
  const type = describeType(fields[last])
  return Object.keys(fields).filter((key) => key !== last && describeType(fields[key]) === type)
}
