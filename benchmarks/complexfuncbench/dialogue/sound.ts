/**
 * The policy `sound`: what the paper says (section 3.1), with the released code's faults mended. Every call
 * is checked first; a golden call counts once; a round without a match is told the fixed error, and the
 * dialogue continues.
 */
import type { Message } from '@stateeval/contracts'
import { type Conversation, type Golden, goldenTurns } from '../conversation/conversation.ts'
import { soundFault, withDefaults } from '../format/sound.ts'
import { undefinedSays } from '../format/published.ts'
import { exactParameters } from '../functions/exact.ts'
import { type Call, callValue, isFree, isOptional, sorted } from '../functions/free.ts'
import { compare } from '../match/compare.ts'
import { isRuleMatch, wrongParameters } from '../match/equal.ts'
import { soundManner } from '../match/manner.ts'
import { mapCalls } from '../match/map.ts'
import { dumps } from '../python/write.ts'
import { decode } from '../runner/decode.ts'
import type { WrittenCall } from '../runner/runner.ts'
import { type CallDecision, type CallError, cut, paperType, type RoundDecision } from './decisions.ts'
import { type End, errorAnswer, fixedAnswer, type Round, type Rules } from './rules.ts'
import type { Talk } from './talk.ts'

interface Entry {
  at: number
  call: Call
}

export function createSound(conversation: Conversation, talk: Talk): Rules {
  const turns = goldenTurns(conversation)
  const all = turns.flat()
  const matched = new Set<Golden>()
  let turn = 0
  let lastErrors: CallError[] = []

  /** Golden calls that are still open. */
  const openNow = () => turns.slice(0, turn + 1).flatMap((calls) => calls.filter((one) => !matched.has(one)))
  /** Turns whose calls may all be left out hold nobody up. */
  const passFree = () => {
    while (turn < turns.length - 1 && openNow().every(({ call }) => isOptional(call))) turn++
  }
  passFree()
  const isEqual = (a: Call, b: Call) =>
    isRuleMatch(withDefaults(conversation, a), withDefaults(conversation, b))

  const textOf = (call: Call) => dumps(callValue(sorted(call)), { ascii: true })
  const isWritten = (a: Call, b: Call) => textOf(a) === textOf(b)

  /** Checks a call before the comparison. */
  function checked(writtenCall: WrittenCall): { call: Call } | { fault: CallError; reason?: string } {
    const decoded = decode({
      ...writtenCall,
      arguments: writtenCall.arguments.trim() === '' ? '{}' : writtenCall.arguments,
    })
    if ('fault' in decoded) {
      const says = `The arguments of function ${writtenCall.name} should be a JSON object.`
      return { fault: { type: 'value_error', says }, reason: decoded.says }
    }
    const call = sorted(decoded.call)
    if (writtenCall.isUnknown) return { fault: { type: 'func_error', says: undefinedSays(writtenCall.name) } }
    const fault = soundFault(conversation, call)
    // A golden call that does not fit its own schema is right as it is written.
    return fault && !openNow().some((one) => isWritten(call, one.call)) ? { fault } : { call }
  }

  return {
    manner: soundManner,

    round(writtenCalls: readonly WrittenCall[], before: readonly Message[]): Round {
      const answers = writtenCalls.map(() => fixedAnswer)
      const decisions = writtenCalls.map(({ name }): CallDecision => ({
        name: cut(name),
        golden: null,
        told: 'fixed error',
      }))
      const errors: CallError[] = []
      const entries: Entry[] = []
      for (const [at, one] of writtenCalls.entries()) {
        const result = checked(one)
        if ('call' in result) entries.push({ at, call: result.call })
        else {
          errors.push(result.fault)
          answers[at] = errorAnswer(result.fault.says)
          Object.assign(decisions[at]!, {
            told: 'format error',
            error: { ...result.fault, says: cut(result.fault.says) },
            ...(result.reason !== undefined && { tried: [cut(result.reason)] }),
          })
        }
      }
      let isProgress = false
      const accept = ({ at }: Entry, golden: Golden, how: NonNullable<CallDecision['how']>) => {
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
        left.map(({ call }) => sorted(call)),
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
        const exact = exactParameters(golden.call.name) ?? []
        const { how, error, tried } = compare(talk, conversation, before, pair, {
          exact,
          manner: soundManner,
        })
        if (tried.length > 0) decision.tried = tried
        if (how) accept(entry, golden, how)
        else {
          if (error) errors.push((decision.error = { ...error, says: cut(error.says) }))
          if (entry.call.name === golden.call.name) decision.wrong = wrongParameters(...pair)
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

    finish(): End {
      if (all.every((one) => matched.has(one) || isOptional(one.call)))
        return { verdict: 'success', message: 'success' }
      const last = lastErrors[0]
      return last
        ? { verdict: paperType(last), message: cut(last.says) }
        : { verdict: 'stop_early', message: 'the model answered before all calls were made' }
    },

    standing() {
      const isDone = (calls: readonly Golden[]) =>
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
