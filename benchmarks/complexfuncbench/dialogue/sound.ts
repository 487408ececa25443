/**
 * The policy `sound`: what the paper says (section 3.1), with the released code's faults mended. Every call
 * is checked first; a golden call counts once; a round without a match gets the fixed error, and the dialogue
 * continues.
 */
import type { Message } from '@stateeval/contracts'
import { type SampleConversation, type GoldenPlace, listGoldenTurns } from '../conversation/conversation.ts'
import { findSoundFault, withDefaults } from '../format/sound.ts'
import { describeUndefined } from '../format/published.ts'
import { getExactParameters } from '../functions/exact.ts'
import { type PythonCall, callValue, isFree, isOptional, sortArguments } from '../functions/free.ts'
import { compare } from '../match/compare.ts'
import { isRuleMatch, findWrongParameters } from '../match/equal.ts'
import { soundManner } from '../match/manner.ts'
import { mapCalls } from '../match/map.ts'
import { dumpJson } from '../python/write.ts'
import { decode } from '../runner/decode.ts'
import type { WrittenCall } from '../runner/runner.ts'
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

interface GoldenEntry {
  at: number
  call: PythonCall
}

export function createSound(conversation: SampleConversation, talk: ModelTalk): DialogueRules {
  const turns = listGoldenTurns(conversation)
  const all = turns.flat()
  const matched = new Set<GoldenPlace>()
  let turn = 0
  let lastErrors: CallError[] = []

  /** Golden calls of the turns up to now that are still open. */
  const openNow = () => turns.slice(0, turn + 1).flatMap((calls) => calls.filter((one) => !matched.has(one)))
  /** Turns whose calls may all be left out hold nobody up. */
  const passFree = () => {
    while (turn < turns.length - 1 && openNow().every(({ call }) => isOptional(call))) turn++
  }
  passFree()
  const isEqual = (a: PythonCall, b: PythonCall) =>
    isRuleMatch(withDefaults(conversation, a), withDefaults(conversation, b))

  const textOf = (call: PythonCall) => dumpJson(callValue(sortArguments(call)), { ascii: true })
  const isWritten = (a: PythonCall, b: PythonCall) => textOf(a) === textOf(b)

  /** Checks a call before the comparison. */
  function checked(writtenCall: WrittenCall): { call: PythonCall } | { fault: CallError; reason?: string } {
    const decoded = decode({
      ...writtenCall,
      arguments: writtenCall.arguments.trim() === '' ? '{}' : writtenCall.arguments,
    })
    if ('fault' in decoded) {
      const says = `The arguments of function ${writtenCall.name} should be a JSON object.`
      return { fault: { type: 'value_error', says }, reason: decoded.says }
    }
    const call = sortArguments(decoded.call)
    if (writtenCall.isUnknown)
      return { fault: { type: 'func_error', says: describeUndefined(writtenCall.name) } }
    const fault = findSoundFault(conversation, call)
    // A golden call that does not fit its own schema is right as it is written.
    return fault && !openNow().some((one) => isWritten(call, one.call)) ? { fault } : { call }
  }

  return {
    manner: soundManner,

    round(writtenCalls: readonly WrittenCall[], before: readonly Message[]): RuledRound {
      const answers = writtenCalls.map(() => fixedAnswer)
      const decisions = writtenCalls.map(({ name }): CallDecision => ({
        name: cutForeign(name),
        golden: null,
        told: 'fixed error',
      }))
      const errors: CallError[] = []
      const entries: GoldenEntry[] = []
      for (const [at, one] of writtenCalls.entries()) {
        const result = checked(one)
        if ('call' in result) entries.push({ at, call: result.call })
        else {
          errors.push(result.fault)
          answers[at] = formatErrorAnswer(result.fault.says)
          Object.assign(decisions[at]!, {
            told: 'format error',
            error: { ...result.fault, says: cutForeign(result.fault.says) },
            ...(result.reason !== undefined && { tried: [cutForeign(result.reason)] }),
          })
        }
      }
      let isProgress = false
      const accept = ({ at }: GoldenEntry, golden: GoldenPlace, how: NonNullable<CallDecision['how']>) => {
        if (matched.has(golden)) decisions[at]!.repeated = true
        else isProgress = true
        matched.add(golden)
        Object.assign(decisions[at]!, { golden: golden.id, how, told: 'response' })
        answers[at] = golden.text
      }
      // Exact calls first, then free ones of any turn, so that a repeated one takes no other's place.
      const open = openNow()
      const unequal = entries.filter((entry) => {
        const golden = open.find((one) => !matched.has(one) && isEqual(entry.call, one.call))
        if (golden) accept(entry, golden, 'rule')
        return !golden
      })
      const rest = unequal.filter((entry) => {
        const same = all.filter((one) => isFree(one.call) && isEqual(entry.call, one.call))
        const golden = same.find((one) => !matched.has(one)) ?? same[0]
        if (golden) accept(entry, golden, 'free')
        return !golden
      })
      const left = openNow()
      const mapped = mapCalls(
        talk,
        rest.map(({ call }) => call),
        left.map(({ call }) => sortArguments(call)),
      )
      for (const [n, entry] of rest.entries()) {
        const place = mapped.golden[n] ?? null
        const decision = decisions[entry.at]!
        if (place === null) {
          const says = left.length === 0 ? 'No further call is needed.' : 'No golden call is left for it.'
          errors.push((decision.error = { type: 'func_error', says }))
          continue
        }
        const golden = left[place]!
        decision.golden = golden.id
        const pair = [
          withDefaults(conversation, entry.call),
          withDefaults(conversation, golden.call),
        ] as const
        const exact = getExactParameters(golden.call.name) ?? []
        const { how, error, tried } = compare(talk, conversation, before, pair, {
          exact,
          manner: soundManner,
        })
        if (tried.length > 0) decision.tried = tried
        if (how) accept(entry, golden, how)
        else {
          if (error) errors.push((decision.error = { ...error, says: cutForeign(error.says) }))
          if (entry.call.name === golden.call.name) decision.wrong = findWrongParameters(...pair)
        }
      }
      lastErrors = errors
      if (isProgress && turn < turns.length - 1) turn++
      passFree()
      const decision: RoundDecision = {
        kind: 'round',
        calls: decisions,
        ...(mapped.mapping && { mapping: mapped.mapping }),
      }
      return { decision, then: { answers } }
    },

    finish(): RulesEnd {
      if (all.every((one) => matched.has(one) || isOptional(one.call)))
        return { verdict: 'success', message: 'success' }
      const last = lastErrors[0]
      return last
        ? { verdict: getPaperType(last), message: cutForeign(last.says) }
        : { verdict: 'stop_early', message: 'the model answered before all calls were made' }
    },

    standing() {
      const isDone = (calls: readonly GoldenPlace[]) =>
        calls.every((one) => matched.has(one) || isOptional(one.call))
      const undone = turns.findIndex((calls) => !isDone(calls))
      return {
        correct: matched.size,
        successTurns: undone < 0 ? turns.length : undone,
        missing: all.filter((one) => !isDone([one])).map(({ id }) => id),
      }
    },

    history: (messages) => JSON.stringify(messages),
  }
}
