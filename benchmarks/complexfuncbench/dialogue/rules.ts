/** Interface of a policy: how it answers the calls of a round, and how a dialogue ends. */
import type { Message } from '@stateeval/contracts'
import type { ComparisonManner } from '../match/manner.ts'
import { dumps } from '../python/write.ts'
import type { WrittenCall } from '../runner/runner.ts'
import { cut, type EndVerdict, type RoundDecision } from './decisions.ts'

export interface End {
  verdict: EndVerdict
  message: string
}

export interface Round {
  decision: RoundDecision
  /** The answer to each call, in order; or the dialogue ends here. */
  then: { answers: string[] } | { end: End }
}

export interface Standing {
  correct: number
  successTurns: number
  /** Golden calls that are still expected, by their place in the path. */
  missing: number[]
}

/** One dialogue under one policy; it keeps its state between rounds. */
export interface Rules {
  manner: ComparisonManner
  /** @param before the messages before the model's */
  round(calls: readonly WrittenCall[], before: readonly Message[]): Round
  /** The model ended with a text; null: with nothing. */
  finish(text: string | null): End
  /** How far the dialogue has come; asked once it has ended. */
  standing(): Standing
  /** The text that the correctness judge reads. */
  history(messages: readonly Message[]): string
}

/** The answer to a call that matches nothing. */
export const fixedAnswer =
  '{"api_status": true, "content": "There is a problem with your api call, please double-check for possible problems."}'

/** Characters of a format error: the names and values in it are the model's own, of any length. */
const longestError = 20_000

/** A format error as the answer to a call. */
export const errorAnswer = (says: string): string =>
  dumps(new Map([['error', cut(says, longestError)]]), { ascii: false })
