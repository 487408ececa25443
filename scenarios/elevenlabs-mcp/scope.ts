/**
 * Values that a program can pass to the tools at this point: its texts, speeches, voices, wishes and
 * contacts, by reference.
 */
import type { Call, Expr, JsonValue, VariableReference } from '@stateeval/contracts'
import {
  type ScopeBinding,
  type ValuePath,
  createRef,
  memoize,
  type RandomSource,
  type TraceScope,
} from '@stateeval/program'
import type { StudioWorld } from './state.ts'
import {
  type PhoneContact,
  isContact,
  isSpeech,
  isTranscript,
  isVoice,
  isWish,
  type SpeechValue,
  type LibraryVoice,
  type VoiceWish,
} from './types.ts'

export interface NamedValue<T> {
  reference: VariableReference
  value: T
  binding: ScopeBinding
}
type StudioScope = TraceScope<StudioWorld>

const createNamed = <T>(binding: ScopeBinding, value: T): NamedValue<T> => ({
  reference: createRef(binding.name),
  value,
  binding,
})

/** Caches a finding by its bindings, which never change in place: generation asks often. */
function findPerBindings<T>(find: (bindings: readonly ScopeBinding[]) => T): (scope: StudioScope) => T {
  const results = memoize(find)
  return ({ bindings }) => results(bindings)
}
const createFinder = <T extends JsonValue>(is: (value: JsonValue) => value is T) =>
  findPerBindings((bindings): NamedValue<T>[] => {
    const all: NamedValue<T>[] = []
    for (const binding of bindings) if (is(binding.value)) all.push(createNamed(binding, binding.value))
    return all
  })

/** Oldest first, as all of these. */
export const speeches: (scope: StudioScope) => NamedValue<SpeechValue>[] = createFinder(isSpeech)
export const wishes: (scope: StudioScope) => NamedValue<VoiceWish>[] = createFinder(isWish)
export const contacts: (scope: StudioScope) => NamedValue<PhoneContact>[] = createFinder(isContact)

/** The user's texts, and transcripts in which every word was understood and nothing else stands. */
export const texts = findPerBindings((bindings) =>
  bindings.flatMap((binding): NamedValue<string>[] => {
    const { name, value } = binding
    if (!binding.api && typeof value === 'string') return [createNamed(binding, value)]
    return isTranscript(value) && !value.diarize && !value.text.includes('[')
      ? [{ reference: createRef(name, 'text'), value: value.text, binding }]
      : []
  }),
)

/** The voices that searches have found. */
export const foundVoices = findPerBindings((bindings) =>
  bindings.flatMap((binding): NamedValue<LibraryVoice>[] =>
    binding.api && Array.isArray(binding.value)
      ? binding.value.flatMap((value, index) =>
          isVoice(value) ? [{ reference: createRef(binding.name, index), value, binding }] : [],
        )
      : [],
  ),
)

/** The voices that the program itself names: who reads it knows these without a call. */
const namedVoices = findPerBindings(
  (bindings) =>
    new Set(
      bindings.flatMap(({ call }) => {
        const name = call?.args.voice_name
        return name?.kind === 'literal' ? [name.value] : []
      }),
    ),
)

/** Speeches in a voice of the library that the program does not name. */
export const listVoicedSpeeches = (scope: StudioScope) =>
  speeches(scope).filter(
    ({ value }) => value.voice_name !== null && !namedVoices(scope).has(value.voice_name),
  )

/** Tells whether the same call was made before: its output exists already. */
export function wasMade({ bindings }: StudioScope, { api, args }: Pick<Call, 'api' | 'args'>): boolean {
  for (const { call } of bindings) if (call?.api === api && hasSameArguments(call.args, args)) return true
  return false
}

function hasSameArguments(a: Call['args'], b: Call['args']): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names)
    if (!Object.hasOwn(b, name) || !isSameArgument(a[name] as Expr, b[name] as Expr)) return false
  return true
}
/** Tools take references and scalars only. */
function isSameArgument(a: Expr, b: Expr): boolean {
  if (a.kind === 'literal') return b.kind === 'literal' && a.value === b.value
  return (
    a.kind === 'reference' &&
    b.kind === 'reference' &&
    a.variable === b.variable &&
    hasSamePath(a.path, b.path)
  )
}
function hasSamePath(a: ValuePath, b: ValuePath): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** Selects outputs of calls, if there are any. */
const selectOutputs = <T>(all: readonly NamedValue<T>[]) =>
  all.filter(({ binding }) => binding.api !== undefined)

/**
 * One or two of them: most often the newest output that nothing uses yet, else another output, so that calls
 * build on each other.
 */
export function sampleSome<T>(all: readonly NamedValue<T>[], rng: RandomSource): NamedValue<T>[] {
  if (all.length === 0) return []
  const fromCalls = selectOutputs(all)
  const fresh = fromCalls.findLast(({ binding }) => !binding.used)
  const first =
    fresh && rng.chance(0.92)
      ? fresh
      : fromCalls.length > 0 && rng.chance(0.9)
        ? rng.pick(fromCalls)
        : rng.pick(all)
  return rng.chance(0.06) ? [...new Set([first, rng.pick(all)])] : [first]
}
