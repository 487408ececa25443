/** Dialogues: differences name a call by its reply, a golden call by its step, or the end. */
import type { JsonValue } from '@stateeval/contracts'
import { runEpisode } from '@stateeval/program'
import type { ComplexCase } from '../../complexfuncbench/case.ts'
import { getRunner } from '../../complexfuncbench/runner/index.ts'
import { conversations } from '../../complexfuncbench/sample/index.ts'
import { hereWith } from '../../complexfuncbench/test/here.ts'
import { defineExplained, isShownAs } from './kind.ts'

interface WrittenCall {
  name: string
  arguments: JsonValue
}
/** The calls of each reply, and the final text. */
type Replies = (WrittenCall[] | string)[]

const { benchmark, cases } = hereWith({
  'conversations.jsonl': conversations.split('\n').slice(0, 6).join('\n'),
})
const runner = getRunner({})
const toListed = ({ name, arguments: args }: WrittenCall) => ({ name, arguments: JSON.stringify(args) })
const parseCall = ({ name, arguments: args }: { name: string; arguments: string }): WrittenCall => ({
  name,
  arguments: JSON.parse(args) as JsonValue,
})
const formatListed = ({ name, arguments: args }: { name: string; arguments: string }) => `${name} ${args}`
const isCalls = (reply: Replies[number] | undefined): reply is WrittenCall[] =>
  Array.isArray(reply) && reply.length > 0

/** The place of a call in the answer: replies without calls are not counted. */
function findCall(answer: Replies, where: string): { at: number; call: number } | null {
  const [, reply, call] = /^reply (\d+), call (\d+)$/.exec(where) ?? []
  if (reply === undefined) return null
  const places = [...answer.keys()].filter((at) => isCalls(answer[at]))
  return { at: places[Number(reply) - 1]!, call: Number(call) - 1 }
}

export const complexfuncbench = defineExplained<ComplexCase, Replies>({
  benchmark,
  cases,
  reference(c, policy) {
    const player = benchmark.player(c, { prompting: 'direct', policy })
    if (!player) return null
    const text = c.task.turns.length
    const last = player({
      role: 'model',
      messages: Array.from({ length: text }, () => ({ role: 'assistant', content: '' })),
    })
    return [...c.task.turns.map((calls) => calls.map(parseCall)), last!.text]
  },
  async candidate({ case: c, policy, answer }) {
    const replies = answer.flatMap((reply) =>
      typeof reply === 'string'
        ? [{ text: reply, finish: 'stop' }]
        : reply.length === 0
          ? []
          : runner.write(reply.map(toListed)),
    )
    const { candidate } = await runEpisode(
      benchmark.episode,
      c,
      { prompting: 'direct', policy },
      {
        reply: ({ messages }) => replies[messages.filter(({ role }) => role === 'assistant').length] ?? null,
      },
    )
    return candidate
  },
  isChangeable: (place, how) =>
    /^\d+\.\d+\.arguments\..+$/.test(place) ||
    (how === 'left out' ? /^\d+(\.\d+)?$/ : how === 'other' ? /^\d+\.\d+\.name$/ : /^$/).test(place),
  rank: ({ where }) => (where === 'end' ? 1 : 0),
  // Cases with a live world.
  unjudged: ['state'],
  read({ case: { task }, answer }, { where }) {
    const golden = task.turns.map((calls) => calls.map(formatListed))
    const place = findCall(answer, where)
    if (place) {
      const call = toListed((answer[place.at] as WrittenCall[])[place.call]!)
      // Chat APIs take other names.
      const offered = { ...call, name: call.name.replaceAll(/[^\w-]/g, '-') }
      return { expected: golden.flat(), found: [call, offered].map(formatListed) }
    }
    const [, step] = /^step (\d+)$/.exec(where) ?? []
    if (step !== undefined) return { expected: golden[Number(step) - 1]! }
    return where === 'final text' ? { found: [String(answer.at(-1))] } : null
  },
  mend({ case: { task }, answer }, { where, expected }, reference) {
    const listed = task.turns.flat().find((call) => isShownAs(expected ?? '', formatListed(call)))
    const meant = listed && parseCall(listed)
    const place = findCall(answer, where)
    if (place) {
      const calls = answer[place.at] as WrittenCall[]
      return answer.with(place.at, meant ? calls.with(place.call, meant) : calls.toSpliced(place.call, 1))
    }
    const text = answer.findLastIndex((reply) => typeof reply === 'string')
    if (where.startsWith('step ')) return answer.toSpliced(text < 0 ? answer.length : text, 0, [meant!])
    return where === 'end'
      ? [...answer.filter((reply) => typeof reply !== 'string'), reference.at(-1)!]
      : null
  },
})
