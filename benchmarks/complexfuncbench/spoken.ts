/** Utterances of a model in a dialogue, for explanations: its calls, and calls that its final text holds. */
import type { ListedCall, Message } from '@stateeval/contracts'
import type { SampleConversation } from './conversation/conversation.ts'
import { type JudgingPolicy, adaptRunner } from './dialogue/converse.ts'
import type { ModelUtterances } from './explain.ts'
import { findJsonObjects } from './python/find.ts'
import { isDict } from './python/value.ts'
import { dumpJson } from './python/write.ts'
import { getRunner } from './runner/index.ts'

export function readSpokenCalls(
  messages: readonly Message[],
  conversation: SampleConversation,
  layout: string,
  policy: JudgingPolicy,
): ModelUtterances {
  const runner = adaptRunner(policy, getRunner({ layout }))
  const calls: ListedCall[][] = []
  let text = ''
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    const written = runner.read(message, conversation)
    text = written.length === 0 ? message.content : ''
    if (written.length > 0)
      calls.push(written.map(({ name, arguments: args }) => ({ name, arguments: args })))
  }
  return { calls, textCalls: () => listSpokenCalls(text, conversation) }
}

/** Calls of the conversation's functions in a text: as JSON, or as code. */
export function listSpokenCalls(
  text: string,
  { functions }: Pick<SampleConversation, 'functions'>,
): string[] {
  const names = functions.map(({ name }) => name)
  const inJson = findJsonObjects(text).flatMap((object): string[] => {
    const inner = object.get('function')
    const named = isDict(inner) ? inner : object
    const name = named.get('name')
    if (typeof name !== 'string' || !names.includes(name)) return []
    const args = named.get('arguments') ?? named.get('parameters') ?? new Map()
    return [`${name} ${typeof args === 'string' ? args : dumpJson(args, { ascii: false })}`]
  })
  if (inJson.length > 0) return inJson
  return names.flatMap((name) => {
    const at = text.indexOf(`${name}(`)
    if (at < 0) return []
    const end = text.indexOf(')', at + name.length)
    return [text.slice(at, end < 0 ? undefined : end + 1)]
  })
}
