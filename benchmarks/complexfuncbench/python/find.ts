/** JSON objects in a text that has more than JSON. */
import { readPrefix } from './read.ts'
import { type PythonDict, isDict } from './value.ts'

/** Places in a text where an object is looked for, and the nesting of one: hostile texts take no longer. */
const maxPlaces = 100
const maxLevels = 20

/** The JSON objects of a text, outermost ones, in their order: of a text with many braces, the last ones. */
export function findJsonObjects(text: string): PythonDict[] {
  const places: number[] = []
  for (let at = text.lastIndexOf('{'); at >= 0 && places.length < maxPlaces;) {
    places.unshift(at)
    at = at === 0 ? -1 : text.lastIndexOf('{', at - 1)
  }
  const objects: PythonDict[] = []
  let end = 0
  for (const at of places) {
    const prefix = at < end ? null : readPrefix(text, at, maxLevels)
    if (!prefix) continue
    end = prefix.end
    if (isDict(prefix.value)) objects.push(prefix.value)
  }
  return objects
}
