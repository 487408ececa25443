/** Everything that the calls so far gave, with every wording that it has in this context. */
import type { Context, Deed } from './context.ts'
import { ordinal } from './ordinal.ts'

export type MentionKind = 'output' | 'item' | 'count' | 'thing'
export interface Mentioned {
  kind: MentionKind
  deed: Deed
  /** A template; an item's holds {nth}. */
  says: string
  /** How readily it is chosen. A place in a row is understood everywhere, so it is also the careful wording. */
  weight: number
  careful: boolean
  /** Told by being the latest, where there are others that could be told by their places. */
  points: boolean
}

const kinds: readonly MentionKind[] = ['output', 'item', 'count', 'thing']
const known = new WeakMap<Context, Mentioned[]>()

export function mentions(context: Context): Mentioned[] {
  let all = known.get(context)
  if (!all) {
    const alike = Map.groupBy(context.deeds, ({ call }) => call.api)
    all = [...alike.values()].flatMap((deeds) =>
      deeds.flatMap((deed, index) => kinds.flatMap((kind) => wordings(context, deed, kind, index, deeds.length === 1))),
    )
    known.set(context, all)
  }
  return all
}

/** The wordings of what the call gave that was the `index`-th of its API, or the only one. */
function wordings(context: Context, deed: Deed, kind: MentionKind, index: number, sole: boolean): Mentioned[] {
  const mention = deed.phrase[kind]
  if (!mention) return []
  const that = context.that === deed
  const say = (says: readonly string[], which: string | null, weight: number, { careful = false, points = false } = {}): Mentioned[] =>
    says.map((text) => ({
      kind,
      deed,
      says: which === null ? text : text.replace('{which}', which),
      weight: weight / says.length,
      careful,
      points: points && !sole,
    }))
  return [
    ...say(mention.any, sole ? 'the' : `the ${ordinal(index)}`, (sole ? mention.sole : that) ? 1 : 3, { careful: true }),
    ...(that ? say(mention.any, 'that', 2, { points: true }) : []),
    ...(sole ? say(mention.sole ?? [], null, 3) : []),
    ...(that && context.fresh ? say(mention.just ?? [], null, 4, { points: true }) : []),
  ]
}
