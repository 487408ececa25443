/**
 * The policy `published`: step by step as the released code runs a sample, faults included (README, Published
 * behaviour).
 */
import type { Message } from '@stateeval/contracts'
import { type SampleConversation, listGoldenTurns } from '../conversation/conversation.ts'
import { EvaluatorCrash, findFunction, findPublishedFault, describeUndefined } from '../format/published.ts'
import { getExactParameters } from '../functions/exact.ts'
import {
  type PythonCall,
  areCallsEqual,
  callValue,
  isOneHotelSearch,
  isForgiven,
  isFree,
  sortArguments,
} from '../functions/free.ts'
import { compare } from '../match/compare.ts'
import { isRuleMatch, findWrongParameters } from '../match/equal.ts'
import { publishedManner } from '../match/manner.ts'
import { mapCalls } from '../match/map.ts'
import { dumpJson, formatRepr } from '../python/write.ts'
import { decode } from '../runner/decode.ts'
import type { DialogueRunner, WrittenCall } from '../runner/runner.ts'
import {
  type CallDecision,
  type CallError,
  cutForeign,
  getPaperType,
  type RoundDecision,
} from './decisions.ts'
import {
  type RulesEnd,
  formatErrorAnswer,
  fixedAnswer,
  type RuledRound,
  type DialogueRules,
} from './rules.ts'
import type { ModelTalk } from './talk.ts'

interface OpenCall {
  id: number
  call: PythonCall
  /** Its JSON text: as recorded, and with sorted arguments once a round has compared it. */
  callText: string
  /** The response. */
  text: string
}
interface FreeCall extends OpenCall {
  called: boolean
}
interface PublishedPair {
  at: number
  golden: OpenCall
  isFree: boolean
}

/** A list of errors, of which null has none; or the text that the released code puts in its place. */
type CallErrors = (CallError | null)[] | string

const dumpCall = (call: PythonCall) => dumpJson(callValue(call), { ascii: true })
const isEmpty = (errors: CallErrors) => errors.length === 0

function isOnlyFree(list: readonly OpenCall[]): boolean {
  for (const { call } of list) {
    const finds = isOneHotelSearch(call)
    if (finds === undefined) throw new EvaluatorCrash('a call of Search_Hotels has no search_type')
    if (finds) return true
  }
  return list.every(({ call }) => isFree(call))
}

/** Formats the errors of a comparison. */
function describeErrors(errors: CallErrors): RulesEnd {
  if (typeof errors === 'string') return { verdict: 'value_error', message: cutForeign(errors) }
  const first = errors.find((error) => error !== null)
  return {
    verdict: first ? getPaperType(first) : 'func_error',
    message: JSON.stringify(
      errors.map((error) => error && { error_type: error.type, content: cutForeign(error.says) }),
    ),
  }
}

export function createPublished(
  conversation: SampleConversation,
  runner: DialogueRunner,
  talk: ModelTalk,
): DialogueRules {
  const turns = listGoldenTurns(conversation)
  const table = new Map<string, FreeCall>()
  for (const { id, call, callText, text } of turns.flat())
    if (isFree(call) && !table.has(callText)) table.set(callText, { id, call, callText, text, called: false })
  const opened = (one: (typeof turns)[number][number]): OpenCall => ({ ...one })
  const golden: OpenCall[] = turns[0]!.map(opened)
  let turn = 0
  let correct = 0
  let lastErrors: CallErrors = []

  const advance = () => {
    turn++
    golden.push(...(turns[turn] ?? []).map(opened))
  }
  const firstEqual = (call: PythonCall) => golden.findIndex((one) => areCallsEqual(one.call, call))
  if (isOnlyFree(golden)) advance()

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
    calls: readonly PythonCall[],
    open: readonly OpenCall[],
  ): { pairs: PublishedPair[]; decision: RoundDecision } {
    const pairedCalls = new Set<OpenCall>()
    const pairs: PublishedPair[] = []
    const rest: number[] = []
    for (const [at, call] of calls.entries()) {
      const pair = pairOf(call)
      if (pair) pairs.push({ at, ...pair })
      else rest.push(at)
    }
    function pairOf(call: PythonCall): Omit<PublishedPair, 'at'> | null {
      const key = dumpCall(call)
      for (const one of open) {
        if (pairedCalls.has(one)) continue
        if (areCallsEqual(one.call, call)) {
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
      left.map(({ call }) => sortArguments(call)),
    )
    for (const [n, place] of mapped.golden.entries())
      if (place !== null) pairs.push({ at: rest[n]!, golden: left[place]!, isFree: false })
    const decision: RoundDecision = {
      kind: 'round',
      calls: calls.map(({ name }) => ({ name: cutForeign(name), golden: null, told: 'fixed error' })),
      ...(mapped.mapping && { mapping: mapped.mapping }),
    }
    return { pairs, decision }
  }

  /**
   * Removes what was matched and called; then the next turn may become available (README, Published behaviour
   * 1).
   */
  function update(matched: readonly OpenCall[]) {
    for (const { call } of matched) {
      const at = firstEqual(call)
      if (at >= 0) golden.splice(at, 1)
    }
    if (matched.length > 0) advance()
    for (const { call, called } of table.values()) {
      const at = called ? firstEqual(call) : -1
      if (at >= 0) golden.splice(at, 1)
    }
    if (isOnlyFree(golden)) advance()
  }

  return {
    manner: publishedManner,

    round(writtenCalls: readonly WrittenCall[], before: readonly Message[]): RuledRound {
      /** @param at the call that ends the dialogue; null: each of them would */
      const ending = (message: string, at: number | null, says: string): RuledRound => ({
        decision: {
          kind: 'round',
          isUncounted: true,
          calls: writtenCalls.map(({ name }, n) => ({
            name: cutForeign(name),
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
      const calls: PythonCall[] = []
      for (const [at, one] of writtenCalls.entries()) {
        if (runner.unknownFunction !== null && (one.isUnknown || !findFunction(conversation, one.name)))
          return ending(runner.unknownFunction, at, `name: ${describeUndefined(cutForeign(one.name))}`)
        const decoded = decode(one)
        if ('call' in decoded) calls.push(sortArguments(decoded.call))
        else if (decoded.fault === 'invalid') return ending('decode_error', at, decoded.says)
        else throw new EvaluatorCrash(`the arguments of ${cutForeign(one.name)} are not an object`)
      }
      removeCalled()
      if (golden.length === 0) throw new EvaluatorCrash('all golden calls were called before')
      const open = [...golden]
      for (const one of open) one.callText = dumpCall(sortArguments(one.call))
      const { pairs, decision } = pairsOf(calls, open)

      const answers = calls.map(() => fixedAnswer)
      const matched: OpenCall[] = []
      let errors: CallErrors = []
      let faults = 0
      for (const { at, golden: one, isFree: byTable } of pairs) {
        const call = calls[at]!
        const decided = decision.calls[at] as CallDecision
        decided.golden = one.id
        if (call.name === one.call.name) decided.wrong = findWrongParameters(call, one.call)
        const fault = findPublishedFault(conversation, call)
        if (fault !== null) {
          faults++
          if (runner.tellsFormatErrors) {
            answers[at] = formatErrorAnswer(fault)
            decided.told = 'format error'
          }
          decided.tried = [`format: ${cutForeign(fault)}`]
          continue
        }
        const expected = sortArguments(one.call)
        const exact = getExactParameters(expected.name)
        const isSameFunction = call.name === expected.name
        if (exact === null && isSameFunction && !isRuleMatch(call, expected, publishedManner.valuesEqual))
          throw new EvaluatorCrash(`no exact parameters are known for ${expected.name}`)
        const {
          how,
          error = null,
          tried,
          emptyResponse,
        } = compare(talk, conversation, before, [call, expected], {
          exact: exact ?? [],
          manner: publishedManner,
        })
        if (emptyResponse) errors = `API call failed for ${formatRepr(callValue(call))}.`
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
        if (typeof errors === 'string') throw new EvaluatorCrash('an error follows an empty response')
        errors.push(error)
        if (error) decided.error = { ...error, says: cutForeign(error.says) }
      }
      lastErrors = errors
      if (matched.length === 0 && faults === 0) return { decision, then: { end: describeErrors(errors) } }
      update(matched)
      return { decision, then: { answers } }
    },

    finish(text): RulesEnd {
      if (text === null) return { verdict: 'unrecorded', message: 'unknown_error' }
      if (runner.endsOnLastErrors && !isEmpty(lastErrors)) return describeErrors(lastErrors)
      // Removed while iterating: what follows a removed one is skipped.
      for (let at = 0; at < golden.length; at++) {
        const { call } = golden[at]!
        const finds = isOneHotelSearch(call)
        if (finds === undefined) throw new EvaluatorCrash('a call of Search_Hotels has no search_type')
        if (isForgiven(call) || finds) golden.splice(firstEqual(call), 1)
      }
      return turn < turns.length || golden.length > 0
        ? { verdict: 'stop_early', message: 'stop_early' }
        : { verdict: 'success', message: 'Success.' }
    },

    standing() {
      const left = turns.findIndex((calls) =>
        calls.some(({ call }) => golden.some((one) => areCallsEqual(one.call, call))),
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
