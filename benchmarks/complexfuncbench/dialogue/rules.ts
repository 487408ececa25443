/** Interface of a policy: how it answers the calls of a round, and how a dialogue ends. */
import type { Message } from '@stateeval/contracts'
import type { ComparisonManner } from '../match/manner.ts'
import { dumpJson } from '../python/write.ts'
import type { WrittenCall } from '../runner/runner.ts'
import { cutForeign, type EndVerdict, type RoundDecision } from './decisions.ts'

export interface RulesEnd {
  verdict: EndVerdict
  message: string
}

export interface RuledRound {
  decision: RoundDecision
  /** The answer to each call, in order; or the end of the dialogue. */
  then: { answers: string[] } | { end: RulesEnd }
}

interface DialogueStanding {
  correct: number
  successTurns: number
  /** Golden calls that are still expected, by their place in the path. */
  missing: number[]
}

/** One dialogue under one policy; it keeps its state between rounds. */
export interface DialogueRules {
  manner: ComparisonManner
  /** @param before the messages before the model's */
  round(calls: readonly WrittenCall[], before: readonly Message[]): RuledRound
  /** The model ended with a text; null: with nothing. */
  finish(text: string | null): RulesEnd
  /** How far the dialogue has come; asked once it has ended. */
  standing(): DialogueStanding
  /** The text that the correctness judge reads. */
  history(messages: readonly Message[]): string
}

/** The answer to a call that matches nothing. */
export const fixedAnswer =
  '{"api_status": true, "content": "There is a problem with your api call, please double-check for possible problems."}'

/** Characters of a format error: the names and values in it are the model's own, of any length. */
const longestError = 20_000

/** A format error as the answer to a call. */
export const formatErrorAnswer = (says: string): string =>
  dumpJson(new Map([['error', cutForeign(says, longestError)]]), { ascii: false })
