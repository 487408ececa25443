/** Matches forms of phrases with calls: which forms fit, their fillers, and the call of a form. */
import { type Call, type Expr, canonicalJson } from '@stateeval/contracts'
import {
  type ArgPattern,
  createLiteral,
  fitCallShape,
  type ValuePath,
  type CallPhrase,
  type PhraseForm,
  type SlotKind,
} from '@stateeval/program'
import type { TranslationContext } from './context.ts'
import { findBaseReference, type SlotFiller, getFillerPart, findSlotPath, isSameExpr } from './filler.ts'

/** A form with some of its tails: exactly these arguments, in these words. */
export interface FlatForm {
  says: readonly string[]
  args: Readonly<Record<string, ArgPattern>>
  slots: Readonly<Record<string, SlotKind>>
  /** Position among the forms: earlier ones are more specific. */
  rank: number
}
const flattened = new WeakMap<CallPhrase, FlatForm[]>()

/** Every form with every choice of its tails. */
export function listFlatForms(phrase: CallPhrase): FlatForm[] {
  let all = flattened.get(phrase)
  if (!all) {
    all = phrase.forms.flatMap((form, rank) => withTails({ ...form, rank }, form.tails ?? []))
    flattened.set(phrase, all)
  }
  return all
}

function withTails(form: FlatForm, tails: NonNullable<PhraseForm['tails']>): FlatForm[] {
  const [tail, ...rest] = tails
  if (!tail) return [form]
  const longer: FlatForm = {
    says: form.says.map((text) => `${text} ${tail.says}`),
    args: { ...form.args, ...tail.args },
    slots: { ...form.slots, ...tail.slots },
    rank: form.rank,
  }
  return [...withTails(form, rest), ...withTails(longer, rest)]
}

/** The fillers with which the form expresses this call: every choice; empty if it does not fit. */
export function unifyForm(
  form: FlatForm,
  call: Call,
  context: TranslationContext,
): Record<string, SlotFiller>[] {
  const names = Object.keys(form.args)
  if (
    names.length !== Object.keys(call.args).length ||
    !names.every((name) => Object.hasOwn(call.args, name))
  )
    return []
  let choices: Record<string, SlotFiller>[] = [{}]
  for (const slot of sortSlots(form)) {
    choices = choices.flatMap((fillers) =>
      listFillers(slot, form, call, context, fillers).map((filler) => ({ ...fillers, [slot]: filler })),
    )
  }
  return choices.filter((fillers) => {
    const args = buildFormArguments(form, fillers)
    return args !== null && names.every((name) => isSameExpr(args[name] as Expr, call.args[name] as Expr))
  })
}

/** Slots that say a key come before those whose paths name it. */
const sortSlots = ({ slots, args }: FlatForm) => {
  const waits = (slot: string) =>
    Object.values(args).some(
      (pattern) =>
        'slot' in pattern &&
        pattern.slot === slot &&
        (pattern.path ?? []).some((key) => typeof key === 'object'),
    )
  const names = Object.keys(slots)
  return [...names.filter((slot) => !waits(slot)), ...names.filter(waits)]
}

function listFillers(
  slot: string,
  form: FlatForm,
  call: Call,
  context: TranslationContext,
  before: Readonly<Record<string, SlotFiller>>,
): SlotFiller[] {
  const uses = Object.entries(form.args).flatMap(([name, pattern]) =>
    'slot' in pattern && pattern.slot === slot ? [{ pattern, expr: call.args[name] as Expr }] : [],
  )
  const first = uses[0]
  if (!first) return []
  const path: ValuePath | null = findSlotPath(first.pattern.path ?? [], before)
  if (path === null) return []
  if (path.length === 0) {
    const expr =
      first.pattern.prefix === undefined ? first.expr : stripPrefix(first.expr, first.pattern.prefix)
    return expr ? [{ kind: 'value', expr }] : []
  }
  const base = findBaseReference(first.expr, path)
  const things = context.statedCalls
    .filter((statedCall) => statedCall.phrase.thing && !statedCall.overtaken)
    .map((statedCall): SlotFiller => ({ kind: 'thing', statedCall }))
  return [
    ...(base ? [{ kind: 'value', expr: base } as const] : []),
    ...things.filter((thing) =>
      uses.every(({ pattern, expr }) => {
        const at = findSlotPath(pattern.path ?? [], before)
        const part = at && getFillerPart(thing, at)
        return part && isSameExpr(part, expr)
      }),
    ),
  ]
}

const stripPrefix = (expr: Expr, prefix: string): Expr | null =>
  expr.kind === 'literal' && typeof expr.value === 'string' && expr.value.startsWith(prefix)
    ? createLiteral(expr.value.slice(prefix.length))
    : null

/**
 * The arguments of the call that the form expresses with these fillers, or null if a filler lacks a part.
 */
export function buildFormArguments(
  form: FlatForm,
  fillers: Readonly<Record<string, SlotFiller>>,
): Record<string, Expr> | null {
  const args: Record<string, Expr> = {}
  for (const [name, pattern] of Object.entries(form.args)) {
    if ('constant' in pattern) {
      args[name] = createLiteral(pattern.constant)
      continue
    }
    const filler = fillers[pattern.slot]
    const path = findSlotPath(pattern.path ?? [], fillers)
    const part = filler && path && getFillerPart(filler, path)
    if (!part) return null
    if (pattern.prefix === undefined) args[name] = part
    else if (part.kind === 'literal' && typeof part.value === 'string')
      args[name] = createLiteral(pattern.prefix + part.value)
    else return null
  }
  return args
}

/** Tells whether the call has its API's usual form, which the wording leaves to the documentation. */
export function hasShape(call: Call, phrase: CallPhrase): boolean {
  const { args: _, binds: __, api: ___, ...shape } = call
  return canonicalJson(shape) === canonicalJson(fitCallShape(phrase.call, call.args))
}
