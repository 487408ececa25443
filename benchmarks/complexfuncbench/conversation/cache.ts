/** The conversation of a case: its line of the published file, which is stored by its hash, read once. */
import type { BenchmarkHost } from '@stateeval/program'
import type { ComplexCase } from '../case.ts'
import type { SampleConversation } from './conversation.ts'
import { findLiveConversation } from '../live/conversation.ts'
import { readConversation } from './read.ts'

export type ConversationOf = (c: ComplexCase) => SampleConversation

/** Characters of lines whose conversations are kept: a long one has half a million. */
const most = 16_000_000

export function createConversations(host: BenchmarkHost): ConversationOf {
  const entries = new Map<string, { conversation: SampleConversation; size: number }>()
  const conversations = new WeakMap<ComplexCase, SampleConversation>()
  let size = 0
  return (c) => {
    const live = conversations.get(c) ?? findLiveConversation(c)
    if (live) {
      conversations.set(c, live)
      return live
    }
    const [hash] = c.artifacts!
    const hit = entries.get(hash)
    if (hit) return hit.conversation
    if (!host.artifact) throw new Error('this host has no artifacts')
    const line = new TextDecoder().decode(host.artifact(hash))
    const conversation = readConversation(line)
    // The oldest go first.
    for (const [other, entry] of entries) {
      if (size + line.length <= most) break
      entries.delete(other)
      size -= entry.size
    }
    entries.set(hash, { conversation, size: line.length })
    size += line.length
    return conversation
  }
}
