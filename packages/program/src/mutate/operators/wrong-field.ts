import type { JsonValue, Program } from '@stateeval/contracts'
import { at } from '../../expr.ts'
import { typeName } from '../../json.ts'
import { type MutationOperator, type Site, StepSite } from '../operator.ts'
import { initialValue, placesOf, slotsOf, spellReference } from '../positions.ts'

export const wrongField: MutationOperator = {
  id: 'wrong_field',
  about: 'Another field of the same variable is used',
  sites(program) {
    const sites: Site[] = []
    for (const [place, step] of placesOf(program))
      for (const { argument, name, atom, put } of slotsOf(step)) {
        const last = atom.kind === 'reference' ? atom.path.at(-1) : undefined
        if (atom.kind !== 'reference' || last === undefined) continue
        for (const key of siblings(program, atom.variable, atom.path)) {
          const value = { ...atom, path: [...atom.path.slice(0, -1), key] }
          const spell = () => `.${name}: ${spellReference(atom)} → ${key}`
          sites.push(new StepSite(program, place, () => [put(value)], spell, { argument, own: atom, value }))
        }
      }
    return sites
  },
}

/**
 * The other fields of the object that holds a part of a variable of the user, where they hold the same type.
 */
function siblings(program: Program, variable: string, path: readonly (string | number)[]): string[] {
  const value = initialValue(program, variable)
  const parent = path.length === 1 ? value : at(value, path.slice(0, -1))
  if (parent === null || typeof parent !== 'object' || Array.isArray(parent)) return []
  const fields = parent as Record<string, JsonValue>
  const last = String(path.at(-1))
  const type = typeName(fields[last])
  return Object.keys(fields).filter((key) => key !== last && typeName(fields[key]) === type)
}
