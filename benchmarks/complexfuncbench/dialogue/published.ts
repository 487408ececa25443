/**
 * The policy `published`: step by step as the released code runs a sample, faults included (README, Published
 * behaviour).
 */
import type { Message } from '@stateeval/contracts'
import { type Conversation, goldenTurns } from '../conversation/conversation.ts'
import { Crash, functionOf, publishedFault, undefinedSays } from '../format/published.ts'
import { exactParameters } from '../functions/exact.ts'
import {
  type Call,
  callsEqual,
  callValue,
  findsOneHotel,
  isForgiven,
  isFree,
  sorted,
} from '../functions/free.ts'
import { compare } from '../match/compare.ts'
import { isRuleMatch, wrongParameters } from '../match/equal.ts'
import { publishedManner } from '../match/manner.ts'
import { mapCalls } from '../match/map.ts'
import { dumps, repr } from '../python/write.ts'
import { decode } from '../runner/decode.ts'
import type { Runner, WrittenCall } from '../runner/runner.ts'
import { type CallDecision, type CallError, cut, paperType, type RoundDecision } from './decisions.ts'
import { type End, errorAnswer, fixedAnswer, type Round, type Rules } from './rules.ts'
import type { Talk } from './talk.ts'

interface Open {
  id: number
  call: Call
  /** Its JSON text: as recorded, and with sorted arguments once a round has compared it. */
  callText: string
  /** The response. */
  text: string
}
interface FreeCall extends Open {
  called: boolean
}
interface Pair {
  at: number
  golden: Open
  isFree: boolean
}

/** A list of errors, of which null has none; or the text that the released code puts in its place. */
type Errors = (CallError | null)[] | string

const keyOf = (call: Call) => dumps(callValue(call), { ascii: true })
const isEmpty = (errors: Errors) => errors.length === 0

function onlyFree(list: readonly Open[]): boolean {
  for (const { call } of list) {
    const finds = findsOneHotel(call)
    if (finds === undefined) throw new Crash('a call of Search_Hotels has no search_type')
    if (finds) return true
  }
  return list.every(({ call }) => isFree(call))
}

/** Formats the errors of a comparison. */
function messageOf(errors: Errors): End {
  if (typeof errors === 'string') return { verdict: 'value_error', message: cut(errors) }
  const first = errors.find((error) => error !== null)
  return {
    verdict: first ? paperType(first) : 'func_error',
    message: JSON.stringify(
      errors.map((error) => error && { error_type: error.type, content: cut(error.says) }),
    ),
  }
}

export function createPublished(conversation: Conversation, runner: Runner, talk: Talk): Rules {
  const turns = goldenTurns(conversation)
  const table = new Map<string, FreeCall>()
  for (const { id, call, callText, text } of turns.flat())
    if (isFree(call) && !table.has(callText)) table.set(callText, { id, call, callText, text, called: false })
  const opened = (one: (typeof turns)[number][number]): Open => ({ ...one })
  const golden: Open[] = turns[0]!.map(opened)
  let turn = 0
  let correct = 0
  let lastErrors: Errors = []

  const advance = () => {
    turn++
    golden.push(...(turns[turn] ?? []).map(opened))
  }
  const firstEqual = (call: Call) => golden.findIndex((one) => callsEqual(one.call, call))
  if (onlyFree(golden)) advance()

  /**
   * Removes golden calls whose text was called, at the beginning of a round. Of two equal ones the place of
   * the first is removed twice, so another call is lost.
   */
  function removeCalled() {
    const places = golden
      .filter(({ callText }) => table.get(callText)?.called)
      .map(({ call }) => firstEqual(call))
    for (const at of places.sort((a, b) => b - a)) golden.splice(at, 1)
  }

  /** Exact pairs and free calls, in the order of the predictions; then the assigned rest. */
  function pairsOf(
    calls: readonly Call[],
    open: readonly Open[],
  ): { pairs: Pair[]; decision: RoundDecision } {
    const pairedCalls = new Set<Open>()
    const pairs: Pair[] = []
    const rest: number[] = []
    for (const [at, call] of calls.entries()) {
      const pair = pairOf(call)
      if (pair) pairs.push({ at, ...pair })
      else rest.push(at)
    }
    function pairOf(call: Call): Omit<Pair, 'at'> | null {
      const key = keyOf(call)
      for (const one of open) {
        if (pairedCalls.has(one)) continue
        if (callsEqual(one.call, call)) {
          pairedCalls.add(one)
          return { golden: one, isFree: false }
        }
        // Already at the first golden call that is not equal; where all are taken, never.
        const free = table.get(key)
        if (!free) continue
        free.called = true
        return { golden: { ...free, call }, isFree: true }
      }
      return null
    }
    const left = open.filter((one) => !pairedCalls.has(one))
    const mapped = mapCalls(
      talk,
      rest.map((at) => calls[at]!),
      left.map(({ call }) => sorted(call)),
    )
    for (const [n, place] of mapped.golden.entries())
      if (place !== null) pairs.push({ at: rest[n]!, golden: left[place]!, isFree: false })
    const decision: RoundDecision = {
      kind: 'round',
      calls: calls.map(({ name }) => ({ name: cut(name), golden: null, told: 'fixed error' })),
      ...(mapped.mapping && { mapping: mapped.mapping }),
    }
    return { pairs, decision }
  }

  /**
   * Removes what was matched and called; then the next turn may become available (README, Published behaviour
   * 1).
   */
  function update(matched: readonly Open[]) {
    for (const { call } of matched) {
      const at = firstEqual(call)
      if (at >= 0) golden.splice(at, 1)
    }
    if (matched.length > 0) advance()
    for (const { call, called } of table.values()) {
      const at = called ? firstEqual(call) : -1
      if (at >= 0) golden.splice(at, 1)
    }
    if (onlyFree(golden)) advance()
  }

  return {
    manner: publishedManner,

    round(writtenCalls: readonly WrittenCall[], before: readonly Message[]): Round {
      /** @param at the call that ends the dialogue; null: each of them would */
      const ending = (message: string, at: number | null, says: string): Round => ({
        decision: {
          kind: 'round',
          isUncounted: true,
          calls: writtenCalls.map(({ name }, n) => ({
            name: cut(name),
            golden: null,
            told: 'fixed error',
            tried: [at === null || at === n ? says : `not compared: call ${at + 1} ended the dialogue`],
          })),
        },
        then: { end: { verdict: 'func_error', message } },
      })
      if (golden.length === 0)
        return ending(
          'func_hallucination',
          null,
          'all golden calls were made, so no further call is expected',
        )
      const calls: Call[] = []
      for (const [at, one] of writtenCalls.entries()) {
        if (runner.unknownFunction !== null && (one.isUnknown || !functionOf(conversation, one.name)))
          return ending(runner.unknownFunction, at, `name: ${undefinedSays(cut(one.name))}`)
        const decoded = decode(one)
        if ('call' in decoded) calls.push(sorted(decoded.call))
        else if (decoded.fault === 'invalid') return ending('decode_error', at, decoded.says)
        else throw new Crash(`the arguments of ${cut(one.name)} are not an object`)
      }
      removeCalled()
      if (golden.length === 0) throw new Crash('all golden calls were called before')
      const open = [...golden]
      for (const one of open) one.callText = keyOf(sorted(one.call))
      const { pairs, decision } = pairsOf(calls, open)

      const answers = calls.map(() => fixedAnswer)
      const matched: Open[] = []
      let errors: Errors = []
      let faults = 0
      for (const { at, golden: one, isFree: byTable } of pairs) {
        const call = calls[at]!
        const decided = decision.calls[at] as CallDecision
        decided.golden = one.id
        if (call.name === one.call.name) decided.wrong = wrongParameters(call, one.call)
        const fault = publishedFault(conversation, call)
        if (fault !== null) {
          faults++
          if (runner.tellsFormatErrors) {
            answers[at] = errorAnswer(fault)
            decided.told = 'format error'
          }
          decided.tried = [`format: ${cut(fault)}`]
          continue
        }
        const expected = sorted(one.call)
        const exact = exactParameters(expected.name)
        const isSameFunction = call.name === expected.name
        if (exact === null && isSameFunction && !isRuleMatch(call, expected, publishedManner.valuesEqual))
          throw new Crash(`no exact parameters are known for ${expected.name}`)
        const {
          how,
          error = null,
          tried,
          emptyResponse,
        } = compare(talk, conversation, before, [call, expected], {
          exact: exact ?? [],
          manner: publishedManner,
        })
        if (emptyResponse) errors = `API call failed for ${repr(callValue(call))}.`
        if (tried.length > 0) decided.tried = tried
        if (how) {
          decided.how = byTable ? 'free' : how
          decided.told = 'response'
          delete decided.wrong
          answers[at] = one.text
          matched.push(one)
          correct++
          continue
        }
        if (typeof errors === 'string') throw new Crash('an error follows an empty response')
        errors.push(error)
        if (error) decided.error = { ...error, says: cut(error.says) }
      }
      lastErrors = errors
      if (matched.length === 0 && faults === 0) return { decision, then: { end: messageOf(errors) } }
      update(matched)
      return { decision, then: { answers } }
    },

    finish(text): End {
      if (text === null) return { verdict: 'unrecorded', message: 'unknown_error' }
      if (runner.endsOnLastErrors && !isEmpty(lastErrors)) return messageOf(lastErrors)
      // Removed while iterating: what follows a removed one is skipped.
      for (let at = 0; at < golden.length; at++) {
        const { call } = golden[at]!
        const finds = findsOneHotel(call)
        if (finds === undefined) throw new Crash('a call of Search_Hotels has no search_type')
        if (isForgiven(call) || finds) golden.splice(firstEqual(call), 1)
      }
      return turn < turns.length || golden.length > 0
        ? { verdict: 'stop_early', message: 'stop_early' }
        : { verdict: 'success', message: 'Success.' }
    },

    standing() {
      const left = turns.findIndex((calls) =>
        calls.some(({ call }) => golden.some((one) => callsEqual(one.call, call))),
      )
      const later = turns.slice(turn + 1).flat()
      return {
        correct,
        successTurns: left < 0 ? turns.length : left,
        missing: [...golden, ...later].map(({ id }) => id),
      }
    },

    history: () => conversation.history,
  }
}
