/** The parts of a dialogue besides the model under test, and who plays them. */
import type { Need as EpisodeNeed, Unavailable } from '@stateeval/contracts'
import type { NamedModel } from '@stateeval/models'
import type { Playing, SampleContext } from './sample.ts'

/** The part that a need asks for, besides the model under test; null where it asks for none. */
export function partOf(need: EpisodeNeed | Playing['need']): string | null {
  switch (need.kind) {
    case 'reply':
      return need.role === 'user' ? 'user' : null
    case 'consult':
      return need.role
    case 'similar':
      return 'similar'
    case 'http':
      return `http:${need.request.api}`
    default:
      return null
  }
}

/** Why a need cannot be sent for: nobody plays its part. null where it can. */
export function unmet(need: EpisodeNeed, { parties = {} }: SampleContext): Unavailable | null {
  const part = partOf(need)
  if (part === null || parties[part]) return null
  return { kind: 'unavailable', reason: 'not_configured', detail: `nobody was named for ${part}` }
}

/** Who plays a part. Throws where nobody was named. */
export function partyOf(part: string, { parties = {} }: SampleContext): NamedModel {
  const party = parties[part]
  if (!party) throw new Error(`nobody was named for ${part}`)
  return party
}
