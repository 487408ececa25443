/** What has been said so far on a path: what a sentence may refer back to. Contexts are values. */
import type { Call, LocalEdit, Reference } from '@stateeval/contracts'
import { atoms, type Operation, type Phrase, type Scenario, type Vocabulary } from '@stateeval/program'

/** A call that was said. */
export interface StatedCall {
  call: Call
  phrase: Phrase
  /** The variable that its output has: the program's own when speaking, one by position when reading. */
  output: string
  /** A later edit changed what the call was given, so the thing that it brought about no longer has these parts. */
  overtaken: boolean
}

export interface Context {
  vocabulary: Vocabulary | undefined
  operations: readonly Pick<Operation<unknown>, 'id' | 'say'>[]
  /** The variables of the initialisation block. */
  variables: ReadonlySet<string>
  statedCalls: readonly StatedCall[]
  /** The call that 'that' points to; none where a branch begins after the other was told. */
  that: StatedCall | null
  /** Whether nothing was said since that call, so 'just' and 'it returned' point to it too. */
  fresh: boolean
  /** What 'it' is within this sentence: the variable that was just edited. */
  it: Reference | null
}

export const beginning = (
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  variables: Iterable<string>,
): Context => ({
  vocabulary: scenario.vocabulary,
  operations: scenario.operations,
  variables: new Set(variables),
  statedCalls: [],
  that: null,
  fresh: false,
  it: null,
})

export const phraseOf = (context: Context, api: string): Phrase | undefined =>
  context.operations.find((operation) => operation.id === api)?.say

export function afterCall(context: Context, call: Call, phrase: Phrase, output: string): Context {
  const statedCall: StatedCall = { call, phrase, output, overtaken: false }
  return {
    ...context,
    statedCalls: [...context.statedCalls, statedCall],
    that: statedCall,
    fresh: true,
    it: null,
  }
}

export function afterEdit(context: Context, { target, value }: LocalEdit): Context {
  const statedCalls = context.statedCalls.map((statedCall) =>
    touches(statedCall, target) ? { ...statedCall, overtaken: true } : statedCall,
  )
  const that = context.that && (statedCalls[context.statedCalls.indexOf(context.that)] ?? null)
  const it: Reference | null =
    value.kind === 'literal' && context.variables.has(target.variable)
      ? { kind: 'reference', variable: target.variable, path: [] }
      : null
  return { ...context, statedCalls, that, fresh: false, it }
}

export const afterSentence = (context: Context): Context => (context.it ? { ...context, it: null } : context)

/** The other branch begins where the condition stood, but a reader has just read the first one. */
export const atOtherwise = (context: Context): Context => ({ ...context, that: null, fresh: false, it: null })

/** Whether an edit changes a value from which the call took a part of the thing that it brought about. */
const touches = ({ call, phrase }: StatedCall, target: Reference) =>
  Object.values(phrase.thing?.parts ?? {})
    .flatMap((part) =>
      'argument' in part ? atoms(call.args[part.argument] ?? { kind: 'list', items: [] }) : [],
    )
    .some(
      (atom) =>
        atom.kind === 'reference' &&
        atom.variable === target.variable &&
        atom.path.slice(0, target.path.length).every((key, index) => key === target.path[index]) &&
        target.path.slice(0, atom.path.length).every((key, index) => key === atom.path[index]),
    )
