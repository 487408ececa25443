/** Facts from which a root cause is read. */
import type { ScoreEvidence, JsonValue, Observation } from '@stateeval/contracts'
import type { InputJudgement } from '@stateeval/score'
import type { ObservedCall } from './observed.ts'
import type { DocumentedEndpoint } from './requests.ts'

export type RootCauseEvidence = NonNullable<ScoreEvidence['rootCause']>

/** A part of an argument, by its path, and where the value comes from that was set there. */
export interface ArgumentEdit {
  path: readonly (string | number)[]
  source: 'given' | 'answer'
}

/** One call that the reference makes on this input. Ids are tokens: `<initial 1>`, `<created 2>`. */
export interface ExpectedCall {
  api: string
  args: Readonly<Record<string, JsonValue>>
  /**
   * Sources of an argument: what is given (variables, literals, edits of them), or an answer of an
   * earlier call.
   */
  sources: Readonly<Record<string, 'given' | 'answer'>>
  /** Parts of an argument that the program itself has set before. */
  edited?: Readonly<Record<string, readonly ArgumentEdit[]>>
  output?: JsonValue
  /** True if it changes the world. */
  changes: boolean
}

export interface RootCauseSituation extends InputJudgement {
  /** The run of the input that failed; absent where there was none. */
  observation?: Observation
  /** The candidate's code. */
  code?: string
  /** The calls that the reference makes on this input, in order. */
  expectedCalls: readonly ExpectedCall[]
  /** Calls of the other branch, where there is one. */
  otherCalls?: readonly ExpectedCall[]
  /** Every endpoint that the documentation names. */
  endpoints: readonly DocumentedEndpoint[]
  /** The world's log doesn't tell the calls: they are functions of a module, computed in the program. */
  unlogged?: boolean
  /** Then, of a program that came to another result, the calls that its text tells. */
  writtenCalls?: readonly ObservedCall[]
  resultKeys: readonly string[]
  /** Keys on the other branch, and what the reference's condition looks at; absent where it has no if. */
  branching?: { otherKeys: readonly string[]; conditionPath: readonly (string | number)[] }
}

/** Kinds of each cause. */
export const causeKinds = {
  documentation_misread: ['unknown_endpoint', 'unknown_parameter', 'unknown_property', 'wrong_form'],
  instruction_not_followed: [
    'no_program',
    'unknown_name',
    'other_api',
    'other_arguments',
    'missing_call',
    'extra_call',
    'other_order',
    'wrong_branch',
    'other_result',
    'unclear',
  ],
  implicit_state_mismanaged: [
    'stale_id',
    'stale_value',
    'missing_id',
    'other_item',
    'wrong_shape',
    'empty_result',
    'endless_wait',
  ],
} as const
type CauseKinds = typeof causeKinds
type RootCause = keyof CauseKinds

/** Why a case failed (StateEval, section IV-F), in the order in which it is shown. */
export const rootCauses = Object.keys(causeKinds) as RootCause[]

export function createCause<C extends keyof CauseKinds>(
  cause: C,
  kind: CauseKinds[C][number],
  says: string,
  more: Partial<Pick<RootCauseEvidence, 'api' | 'argument' | 'expected' | 'found'>> = {},
): RootCauseEvidence {
  return { cause, kind, because: says, ...more }
}
