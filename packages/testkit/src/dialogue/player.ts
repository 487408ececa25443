/**
 * The reference: two parallel calls, a wrong call that it corrects, and a third turn that may need an id of
 * the world.
 */
import type { SpeakerReply } from '@stateeval/contracts'
import type { ReplyPlayer } from '@stateeval/program'
import type { DialogueCase } from './case.ts'

const calls = (...list: readonly [name: string, args: object][]): SpeakerReply => ({
  text: '',
  toolCalls: list.map(([name, args], at) => ({ id: `call_${at}`, name, arguments: JSON.stringify(args) })),
  finish: 'tool_calls',
})
const says = (text: string): SpeakerReply => ({ text, finish: 'stop' })

/**
 * What the reference says, in order; `content` is the content of the newest message, such as a tool's result.
 */
function replies({ task }: DialogueCase): ((content: string) => SpeakerReply)[] {
  const [first, second] = task.turns.map((turn) => turn)
  const { source = '' } = task.expected[0] ?? {}
  const dataIn = (turn = '') => turn.match(/\{[^{}]*\}/g)?.map((json) => JSON.parse(json) as object) ?? []
  const [a, b] = dataIn(first)
  const [c] = dataIn(second)
  const settings = { source, type: 'settings' }
  const idIn = (content: string) => /[0-9a-f]{24}/.exec(content)?.[0] ?? ''
  return [
    () => calls(['addSession', { ...settings, data: a }], ['addSession', { ...settings, data: b }]),
    () => says('Both are added.'),
    () => calls(['addSession', { source, type: 'groups', data: c }]),
    () => calls(['addSession', { source, type: 'group', data: c }]),
    () => says('The group is added.'),
    () => calls(['listSessions', settings]),
    ...(task.deletes
      ? [(content: string) => calls(['deleteSession', { ...settings, id: idIn(content) }])]
      : []),
    () => says(task.answer),
  ]
}

export const player = (c: DialogueCase): ReplyPlayer => {
  const script = replies(c)
  return ({ messages }) => {
    const at = messages.filter(({ role }) => role === 'assistant').length
    return script[at]?.(messages.at(-1)?.content ?? '') ?? null
  }
}

/** The reference's replies if none depends on a world: answers as in a file. */
export const listReferenceReplies = (c: DialogueCase): SpeakerReply[] => replies(c).map((reply) => reply(''))
