/** Everything that the calls so far gave, with every wording that it has in this context. */
import type { Mention, Phrase } from '@stateeval/program'
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
}

const kinds: readonly MentionKind[] = ['output', 'item', 'count', 'thing']
const known = new WeakMap<Context, Mentioned[]>()

export function mentions(context: Context): Mentioned[] {
  let all = known.get(context)
  if (!all) {
    all = context.deeds.flatMap((deed) => kinds.flatMap((kind) => wordings(context, deed, kind)))
    known.set(context, all)
  }
  return all
}

function wordings(context: Context, deed: Deed, kind: MentionKind): Mentioned[] {
  const mention: Mention | undefined = (deed.phrase satisfies Phrase)[kind]
  if (!mention) return []
  const alike = context.deeds.filter(({ call }) => call.api === deed.call.api)
  const sole = alike.length === 1
  const that = context.that === deed
  const say = (says: readonly string[], which: string | null, weight: number, careful = false): Mentioned[] =>
    says.map((text) => ({
      kind,
      deed,
      says: which === null ? text : text.replace('{which}', which),
      weight: weight / says.length,
      careful,
    }))
  return [
    ...(sole
      ? say(mention.any, 'the', mention.sole ? 1 : 3, true)
      : say(mention.any, `the ${ordinal(alike.indexOf(deed))}`, that ? 1 : 3, true)),
    ...(that ? say(mention.any, 'that', 2) : []),
    ...(sole ? say(mention.sole ?? [], null, 3) : []),
    ...(that && context.fresh ? say(mention.just ?? [], null, 4) : []),
  ]
}
