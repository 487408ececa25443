/** The conversation of a case: its line of the published file, which is stored by its hash, read once. */
import type { BenchmarkHost } from '@stateeval/program'
import type { ComplexCase } from '../case.ts'
import type { Conversation } from './conversation.ts'
import { liveConversation } from '../live/conversation.ts'
import { readConversation } from './read.ts'

export type ConversationOf = (c: ComplexCase) => Conversation

/** Characters of lines whose conversations are kept: a long one has half a million. */
const most = 16_000_000

export function createConversations(host: BenchmarkHost): ConversationOf {
  const kept = new Map<string, { conversation: Conversation; size: number }>()
  const made = new WeakMap<ComplexCase, Conversation>()
  let size = 0
  return (c) => {
    const own = made.get(c) ?? liveConversation(c)
    if (own) {
      made.set(c, own)
      return own
    }
    const [hash] = c.artifacts!
    const known = kept.get(hash)
    if (known) return known.conversation
    if (!host.artifact) throw new Error('this host has no artifacts')
    const line = new TextDecoder().decode(host.artifact(hash))
    const conversation = readConversation(line)
    // The oldest go first.
    for (const [other, entry] of kept) {
      if (size + line.length <= most) break
      kept.delete(other)
      size -= entry.size
    }
    kept.set(hash, { conversation, size: line.length })
    size += line.length
    return conversation
  }
}
