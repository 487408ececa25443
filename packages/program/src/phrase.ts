/**
 * The phrase of an API: a two-way pattern. The same form writes a call and reads it, so an instruction can
 * be parsed into its calls.
 */
import type { Expr, HttpCall, JsonValue } from '@stateeval/contracts'

/** One step of an argument's path inside its slot: a key, an index, or the key in another slot. */
export type SlotKey = string | number | { slot: string }

/**
 * The source of an argument: the content of a slot, the part of it at `path`, or a constant that the
 * wording implies.
 */
export type ArgPattern =
  | {
      slot: string
      path?: readonly SlotKey[]
      /** Put before a `word` slot: 'data.' says the field data.title as `title`. */
      prefix?: string
    }
  | { constant: JsonValue }

/**
 * The kind of a slot: `reference` is a variable or a part of one, or a thing that a call brought about;
 * `variable` such a reference to a variable of the initialisation block, `copy` one to what a call gave,
 * where the wording says that it is the program's own copy; `literal` a constant, said as JSON; `value` any
 * of them, or a list or object made of them; `word` a constant string said as a bare name; `list` a list said
 * as 'a, b, and c'.
 */
export type SlotKind = 'reference' | 'variable' | 'copy' | 'literal' | 'value' | 'word' | 'list'

/**
 * One way to put a call. `says` are wordings with {slot}s, imperative, without capital or full stop: 'add
 * {item} as a new session'. A form fits a call if its arguments unify with `args`: each slot stands for one
 * value, and every argument that names the slot is that value or the part of it at `path`.
 */
export interface PhraseForm {
  says: readonly string[]
  args: Readonly<Record<string, ArgPattern>>
  slots: Readonly<Record<string, SlotKind>>
  /**
   * Arguments that a call may leave out, each with its wording, appended in this order: 'with a stability of
   * {stability}'.
   */
  tails?: readonly {
    says: string
    args: Readonly<Record<string, ArgPattern>>
    slots: Readonly<Record<string, SlotKind>>
  }[]
}

/**
 * Wordings of something that a call gave. `any` says which one by {which}: 'that', 'the', 'the second'.
 * `just` is said only directly after the call, `sole` only where this API was called once so far, `untouched`
 * only where also no later call took it, since what it is made into may be called the same: a converted
 * speech, once cleaned, is still converted. `returned` says that it is what the call returned then, not what
 * it would be now.
 */
interface MentionWordings {
  any: readonly string[]
  just?: readonly string[]
  sole?: readonly string[]
  untouched?: readonly string[]
  returned?: readonly string[]
}

/** Place of a part of a thing: in the call's output, or in an argument of the call. */
type ThingPart = { output: readonly (string | number)[] } | { argument: string }

/** How a call's API is called: what the wording leaves out because the documentation has it. */
type CallShape =
  | Pick<HttpCall, 'kind' | 'method' | 'path' | 'query' | 'body'>
  | { kind: 'function'; name: string; positional?: string[] }
  | { kind: 'tool' }

export interface CallPhrase {
  call: CallShape
  /** More specific forms first. */
  forms: readonly PhraseForm[]
  /** The output itself: '{which} listing'. Absent where there is none. */
  output?: MentionWordings
  /** Path of the list or item in the output; absent where the output itself is it. */
  at?: readonly string[]
  /** What lies at that path: 'the author of {which} lookup'. Absent where the output itself is it. */
  shown?: MentionWordings
  /** One element of an output that is a list; {nth} is its place: 'the {nth} session of {which} listing'. */
  item?: MentionWordings
  /** How many elements an output that is a list has: 'the number of sessions in {which} listing'. */
  count?: MentionWordings
  /** The result of the call, described as a thing with parts: 'the session you just added'. */
  thing?: MentionWordings & { parts: Readonly<Record<string, ThingPart>> }
}

/** How a call with these arguments looks: a request sends no query parameter that it is not given. */
export function fitCallShape<Shape extends CallShape>(
  shape: Shape,
  args: Readonly<Record<string, Expr>>,
): Shape {
  if (!('query' in shape) || shape.query === undefined) return shape
  const { query, ...others } = shape
  const given = query.filter((name) => Object.hasOwn(args, name))
  return (given.length > 0 ? { ...others, query: given } : others) as Shape
}

/** The place of an element in the list of a call's output, and the path inside it; null for other paths. */
export function findElement(
  { at = [] }: Pick<CallPhrase, 'at'>,
  path: readonly (string | number)[],
): { nth: number; rest: (string | number)[] } | null {
  const nth = path[at.length]
  return typeof nth === 'number' && at.every((key, index) => key === path[index])
    ? { nth, rest: path.slice(at.length + 1) }
    : null
}

/** The fields of a scenario's items; other plain words are read as fields of `inside`. */
export interface Vocabulary {
  fields: readonly string[]
  /** The field that is passed over silently: 'the title of the first match' is its data's title. */
  inside?: string
}
