/**
 * Ids that a world issues during a run are its own each time. In an oracle they get names made from the
 * program, the input and their order, so that the same build gives the same bytes. Comparison is up to ids,
 * so nothing else changes.
 */
import { type Oracle, sha256 } from '@stateeval/contracts'

/** Derives an id of the same form: as many hexadecimal digits where the id consists of these. */
function deriveStableId(id: string, name: string): string {
  return /^[0-9a-f]{8,64}$/.test(id)
    ? sha256(name).slice(0, id.length)
    : `created-${sha256(name).slice(0, 16)}`
}

/** `name` tells the program and the input. */
export function withStableIds({ input, result, world }: Oracle, name: string): Oracle {
  let text = JSON.stringify({ result, world })
  // Issued ids are unguessable, so wherever one stands, alone or within a text, it is that id.
  for (const [n, id] of world.ids.created.entries())
    text = text.replaceAll(id, deriveStableId(id, `${name}/${n}`))
  return { input, ...(JSON.parse(text) as Pick<Oracle, 'result' | 'world'>) }
}
