/**
 * Values that a program can pass to the tools now: its texts, speeches, voices, wishes and contacts, by
 * reference.
 */
import type { Call, Expr, JsonValue, VariableReference } from '@stateeval/contracts'
import { type Binding, type Path, ref, memoized, type Rng, type Scope } from '@stateeval/program'
import type { StudioWorld } from './state.ts'
import {
  type Contact,
  isContact,
  isSpeech,
  isTranscript,
  isVoice,
  isWish,
  type Speech,
  type Voice,
  type Wish,
} from './types.ts'

export interface Named<T> {
  reference: VariableReference
  value: T
  binding: Binding
}
type Studio = Scope<StudioWorld>

const whole = <T>(binding: Binding, value: T): Named<T> => ({ reference: ref(binding.name), value, binding })

/**
 * A finding among bindings stays true: they are never changed in place, and generation asks often.
 */
function perBindings<T>(find: (bindings: readonly Binding[]) => T): (scope: Studio) => T {
  const results = memoized(find)
  return ({ bindings }) => results(bindings)
}
const of = <T extends JsonValue>(is: (value: JsonValue) => value is T) =>
  perBindings((bindings): Named<T>[] => {
    const all: Named<T>[] = []
    for (const binding of bindings) if (is(binding.value)) all.push(whole(binding, binding.value))
    return all
  })

/** Oldest first, as all of these. */
export const speeches: (scope: Studio) => Named<Speech>[] = of(isSpeech)
export const wishes: (scope: Studio) => Named<Wish>[] = of(isWish)
export const contacts: (scope: Studio) => Named<Contact>[] = of(isContact)

/** The user's texts, and transcripts in which every word was understood and nothing else stands. */
export const texts = perBindings((bindings) =>
  bindings.flatMap((binding): Named<string>[] => {
    const { name, value } = binding
    if (!binding.api && typeof value === 'string') return [whole(binding, value)]
    return isTranscript(value) && !value.diarize && !value.text.includes('[')
      ? [{ reference: ref(name, 'text'), value: value.text, binding }]
      : []
  }),
)

/** The voices that searches have found. */
export const foundVoices = perBindings((bindings) =>
  bindings.flatMap((binding): Named<Voice>[] =>
    binding.api && Array.isArray(binding.value)
      ? binding.value.flatMap((value, index) =>
          isVoice(value) ? [{ reference: ref(binding.name, index), value, binding }] : [],
        )
      : [],
  ),
)

/** The voices that the program itself names: who reads it knows these without a call. */
const namedVoices = perBindings(
  (bindings) =>
    new Set(
      bindings.flatMap(({ call }) => {
        const name = call?.args.voice_name
        return name?.kind === 'literal' ? [name.value] : []
      }),
    ),
)

/** Speeches in a voice of the library that the program does not name. */
export const voicedSpeeches = (scope: Studio) =>
  speeches(scope).filter(
    ({ value }) => value.voice_name !== null && !namedVoices(scope).has(value.voice_name),
  )

/** Tells whether the same call was made before: its output is there already. */
export function wasMade({ bindings }: Studio, { api, args }: Pick<Call, 'api' | 'args'>): boolean {
  for (const { call } of bindings) if (call?.api === api && sameArgs(call.args, args)) return true
  return false
}

function sameArgs(a: Call['args'], b: Call['args']): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names)
    if (!Object.hasOwn(b, name) || !sameExpr(a[name] as Expr, b[name] as Expr)) return false
  return true
}
/** Tools take references and scalars only. */
function sameExpr(a: Expr, b: Expr): boolean {
  if (a.kind === 'literal') return b.kind === 'literal' && a.value === b.value
  return (
    a.kind === 'reference' && b.kind === 'reference' && a.variable === b.variable && samePath(a.path, b.path)
  )
}
function samePath(a: Path, b: Path): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** Selects outputs of calls, if there are any. */
const outputs = <T>(all: readonly Named<T>[]) => all.filter(({ binding }) => binding.api !== undefined)

/**
 * One or two of them: most often the newest output that nothing uses yet, else another output, so that calls
 * build on each other.
 */
export function some<T>(all: readonly Named<T>[], rng: Rng): Named<T>[] {
  if (all.length === 0) return []
  const fromCalls = outputs(all)
  const fresh = fromCalls.findLast(({ binding }) => !binding.used)
  const first =
    fresh && rng.chance(0.92)
      ? fresh
      : fromCalls.length > 0 && rng.chance(0.9)
        ? rng.pick(fromCalls)
        : rng.pick(all)
  return rng.chance(0.06) ? [...new Set([first, rng.pick(all)])] : [first]
}
