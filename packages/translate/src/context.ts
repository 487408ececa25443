/** The clauses of a path so far: what a sentence may refer back to. Contexts are values. */
import type { Call, LocalEdit, VariableReference } from '@stateeval/contracts'
import {
  listAtoms,
  type ScenarioOperation,
  type ValuePath,
  type CallPhrase,
  type Scenario,
  type Vocabulary,
} from '@stateeval/program'

/** A phrased call. */
export interface StatedCall {
  call: Call
  phrase: CallPhrase
  /** The variable that its output has: the program's own when speaking, one by position when reading. */
  output: string
  /** Its number on its path, from 0. */
  number: number
  /**
   * A later edit changed what the call was given, so the thing that it brought about no longer has these
   * parts.
   */
  overtaken: boolean
  /** The places in its output that edits have changed. */
  edits: readonly ValuePath[]
}

export interface TranslationContext {
  vocabulary: Vocabulary | undefined
  operations: readonly Pick<ScenarioOperation<unknown>, 'id' | 'say'>[]
  /** The variables of the initialisation block. */
  variables: ReadonlySet<string>
  statedCalls: readonly StatedCall[]
  /** The call that 'that' points to; none where a branch begins after the other was told. */
  that: StatedCall | null
  /** True if nothing was stated since that call, so 'just' points to it too. */
  fresh: boolean
}

export const createContext = (
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  variables: Iterable<string>,
): TranslationContext => ({
  vocabulary: scenario.vocabulary,
  operations: scenario.operations,
  variables: new Set(variables),
  statedCalls: [],
  that: null,
  fresh: false,
})

export const findPhrase = (context: TranslationContext, api: string): CallPhrase | undefined =>
  context.operations.find((operation) => operation.id === api)?.say

export function enterAfterCall(
  context: TranslationContext,
  call: Call,
  phrase: CallPhrase,
  output: string,
): TranslationContext {
  const statedCall: StatedCall = {
    call,
    phrase,
    output,
    number: context.statedCalls.length,
    overtaken: false,
    edits: [],
  }
  return {
    ...context,
    statedCalls: [...context.statedCalls, statedCall],
    that: statedCall,
    fresh: true,
  }
}

export function enterAfterEdit(context: TranslationContext, { target }: LocalEdit): TranslationContext {
  const statedCalls = context.statedCalls.map((statedCall): StatedCall => {
    const isTarget = statedCall.output === target.variable
    const overtaken = statedCall.overtaken || hasTouchedArgument(statedCall, target)
    if (!isTarget && overtaken === statedCall.overtaken) return statedCall
    return {
      ...statedCall,
      overtaken,
      edits: isTarget ? [...statedCall.edits, target.path] : statedCall.edits,
    }
  })
  const that = context.that && (statedCalls[context.statedCalls.indexOf(context.that)] ?? null)
  return { ...context, statedCalls, that, fresh: false }
}

/** The other branch begins in the state of the condition, but a reader has just read the first branch. */
export const enterOtherwise = (context: TranslationContext): TranslationContext => ({
  ...context,
  that: null,
  fresh: false,
})

/** Tells whether one of two places contains the other. */
export const isOverlapping = (a: ValuePath, b: ValuePath) =>
  a.slice(0, b.length).every((key, index) => key === b[index])

/** Tells whether a later call used part of this one's output. */
export const isTaken = ({ output }: StatedCall, { statedCalls }: TranslationContext) =>
  statedCalls.some(({ call }) =>
    Object.values(call.args).some((expr) =>
      listAtoms(expr).some((atom) => atom.kind === 'reference' && atom.variable === output),
    ),
  )

/** Tells whether an edit changes a value that the call used for a part of its result. */
const hasTouchedArgument = ({ call, phrase }: StatedCall, target: VariableReference) =>
  Object.values(phrase.thing?.parts ?? {})
    .flatMap((part) =>
      'argument' in part ? listAtoms(call.args[part.argument] ?? { kind: 'list', items: [] }) : [],
    )
    .some(
      (atom) =>
        atom.kind === 'reference' &&
        atom.variable === target.variable &&
        isOverlapping(atom.path, target.path),
    )
