/** Dialogues: differences name a call, a golden call, a part of the state left, or the end. */
import {
  canonicalJson,
  isRecord,
  type JsonValue,
  type ListedCall,
  type ValueDifference,
} from '@stateeval/contracts'
import { runEpisode } from '@stateeval/program'
import type { ComplexCase } from '../../complexfuncbench/case.ts'
import { formatSampleLine } from '../../complexfuncbench/creation/sample.ts'
import { makeSamples } from '../../complexfuncbench/creation/samples.ts'
import { getRunner } from '../../complexfuncbench/runner/index.ts'
import { conversations } from '../../complexfuncbench/sample/index.ts'
import { hereWith } from '../../complexfuncbench/test/here.ts'
import { ask, openTravel } from '../../complexfuncbench/travel/world.ts'
import { defineExplained, isShownAs } from './kind.ts'

interface WrittenCall {
  name: string
  arguments: JsonValue
}
/** The calls of each reply, and the final text. */
type Replies = (WrittenCall[] | string)[]

/** Half of them with a live world, two of these with bookings. */
const live = makeSamples({ samples: 15, seed: 'explained' })
  .filter(({ template }) => ['Hotels-2', 'Flights-1', 'Attraction-2', 'Hotels-1'].includes(template.id))
  .map(({ sample }) => formatSampleLine({ ...sample, id: sample.id.replace('-', '-9') }))
const { benchmark, cases } = hereWith({
  'conversations.jsonl': [...conversations.split('\n').slice(0, 4), ...live].join('\n'),
})
const runner = getRunner({})
const toListed = ({ name, arguments: args }: WrittenCall) => ({ name, arguments: JSON.stringify(args) })
const parseCall = ({ name, arguments: args }: ListedCall): WrittenCall => ({
  name,
  arguments: JSON.parse(args) as JsonValue,
})
const formatListed = ({ name, arguments: args }: ListedCall) => `${name} ${args}`
const isCalls = (reply: Replies[number] | undefined): reply is WrittenCall[] =>
  Array.isArray(reply) && reply.length > 0

/** The place of a call in the answer: replies without calls are not counted. */
function findCall(answer: Replies, where: string): { at: number; call: number } | null {
  const [, reply, call] = /^reply (\d+), call (\d+)$/.exec(where) ?? []
  if (reply === undefined) return null
  const places = [...answer.keys()].filter((at) => isCalls(answer[at]))
  return { at: places[Number(reply) - 1]!, call: Number(call) - 1 }
}

const isBooking = ({ name }: WrittenCall) => name.startsWith('Book_')
const listCalls = (answer: Replies) => answer.flatMap((reply) => (typeof reply === 'string' ? [] : reply))
/** Bookings as differences name them. */
const formatBookings = (bookings: readonly Record<'kind' | 'details', unknown>[]) =>
  bookings.map(({ kind, details }) => canonicalJson({ kind, details }))
const bookAll = (world: Parameters<typeof openTravel>[0], answer: Replies) =>
  listCalls(answer).reduce(
    (state, { name, arguments: args }) => (isRecord(args) ? ask(state, name, args).state : state),
    openTravel(world),
  ).bookings

/** An answer with what the state lacks, or without what it has too much. */
function mendState(
  golden: readonly ListedCall[],
  answer: Replies,
  { where, expected, found }: ValueDifference,
): Replies {
  const texts = new Set(listCalls(answer).map((call) => formatListed(toListed(call))))
  if (found !== undefined) {
    const right = new Set(golden.map((call) => formatListed(toListed(parseCall(call)))))
    const isTooMuch = (call: WrittenCall) => isBooking(call) && !right.has(formatListed(toListed(call)))
    return answer.map((reply) =>
      typeof reply === 'string' ? reply : reply.filter((call) => !isTooMuch(call)),
    )
  }
  const missing =
    where === 'answers'
      ? golden.find((call) => isShownAs(expected!, formatListed(call)))
      : golden.find(
          (call) => isBooking(parseCall(call)) && !texts.has(formatListed(toListed(parseCall(call)))),
        )
  return insertCall(answer, parseCall(missing!))
}
/** In front of the final text. */
function insertCall(answer: Replies, call: WrittenCall): Replies {
  const text = answer.findLastIndex((reply) => typeof reply === 'string')
  return answer.toSpliced(text < 0 ? answer.length : text, 0, [call])
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
      // What calls leave is judged whoever leads the dialogue.
      { prompting: 'direct', policy: policy === 'state' ? 'sound' : policy },
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
    if (where === 'answers') return { expected: golden.flat() }
    if (where === 'bookings')
      return {
        expected: formatBookings(task.live!.left.bookings),
        found: formatBookings(bookAll(task.live!.world, answer)),
      }
    return where === 'final text' ? { found: [String(answer.at(-1))] } : null
  },
  mend({ case: { task }, answer }, difference, reference) {
    const { where, expected } = difference
    if (where === 'answers' || where === 'bookings') return mendState(task.turns.flat(), answer, difference)
    const listed = task.turns.flat().find((call) => isShownAs(expected ?? '', formatListed(call)))
    const meant = listed && parseCall(listed)
    const place = findCall(answer, where)
    if (place) {
      const calls = answer[place.at] as WrittenCall[]
      return answer.with(place.at, meant ? calls.with(place.call, meant) : calls.toSpliced(place.call, 1))
    }
    if (where.startsWith('step ')) return insertCall(answer, meant!)
    // Nothing is recorded of such a round.
    if (difference.says.startsWith('the published evaluator crashes: ')) return reference
    return where === 'end'
      ? [...answer.filter((reply) => typeof reply !== 'string'), reference.at(-1)!]
      : null
  },
})
