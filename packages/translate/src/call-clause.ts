/** A call as a clause: 'add `user_variable_0` as a new session'. */
import type { Call } from '@stateeval/contracts'
import type { CallPhrase, SlotKind } from '@stateeval/program'
import { afterCall, type Context, phraseOf } from './context.ts'
import { type Filler, pathIn } from './filler.ts'
import { argsOf, type FlatForm, flatForms, unify } from './form.ts'
import type { Token } from './text/lex.ts'
import type { InstructionReading } from './reading.ts'
import { readFiller, sayFiller } from './slots.ts'
import { fill, match, type Template, template } from './text/template.ts'
import { fitting, type Voice } from './voice.ts'

/** Phrases a call, or returns null if no form of its API fits. */
export function sayCall(call: Call, context: Context, voice: Voice): string | null {
  const phrase = phraseOf(context, call.api)
  if (!phrase) return null
  // The most specific form that fits reads best: forms come in this order.
  for (const forms of Object.values(Object.groupBy(flatForms(phrase), ({ rank }) => rank))) {
    const options = (forms ?? []).flatMap((form) =>
      unify(form, call, context).flatMap((fillers) => sayForm(form, fillers, context, voice)),
    )
    // A variable's name reads better than a thing that has the same parts.
    const things = Math.min(...options.map((option) => option.things))
    const best = options.filter((option) => option.things === things)
    if (best.length > 0) return voice.rng.pick(fitting(best, voice)).text
  }
  return null
}

function sayForm(form: FlatForm, fillers: Readonly<Record<string, Filler>>, context: Context, voice: Voice) {
  const texts: Record<string, string> = {}
  for (const [slot, filler] of Object.entries(fillers)) {
    const text = sayFiller(filler, form.slots[slot] as SlotKind, context, voice, readsOf(slot, form, fillers))
    if (text === null) return []
    texts[slot] = text
  }
  const things = Object.values(fillers).filter(({ kind }) => kind === 'thing').length
  return form.says.map((says) => ({ text: fill(says, texts), things }))
}

/** The parts of what fills a slot that the arguments take. */
const readsOf = (slot: string, { args }: FlatForm, fillers: Readonly<Record<string, Filler>>) =>
  Object.values(args).flatMap((pattern) =>
    'slot' in pattern && pattern.slot === slot ? [pathIn(pattern.path ?? [], fillers) ?? []] : [],
  )

/** The wordings of all APIs by their first word, which is most often their verb. */
const wordings = new WeakMap<Context['operations'], Map<string, Wording[]>>()
interface Wording {
  api: string
  phrase: CallPhrase
  form: FlatForm
  says: Template
}
function wordingsFrom(token: Token | undefined, operations: Context['operations']): readonly Wording[] {
  let all = wordings.get(operations)
  if (!all) {
    const each = operations.flatMap(({ id, say }) =>
      flatForms(say).flatMap((form) =>
        form.says.map((says): Wording => ({ api: id, phrase: say, form, says: template(says) })),
      ),
    )
    all = Map.groupBy(each, ({ says: [first] }) => (first?.kind === 'word' ? first.text : ''))
    wordings.set(operations, all)
  }
  return [...(token?.kind === 'word' ? (all.get(token.text) ?? []) : []), ...(all.get('') ?? [])]
}

/** Every call that these tokens may mean, with the context after it. */
export function readCall(
  reading: InstructionReading,
  from: number,
  to: number,
  context: Context,
): { step: Call; after: Context }[] {
  const clauses: { step: Call; after: Context }[] = []
  for (const { api, phrase, form, says } of wordingsFrom(reading.tokens[from], context.operations)) {
    const all = match<Filler>(says, reading.tokens, from, to, (slot, start, end) => {
      const kind = form.slots[slot] as SlotKind
      return reading.once(`slot ${kind}`, context, start, end, () =>
        readFiller(reading, start, end, kind, context),
      )
    })
    for (const fillers of all) {
      const args = argsOf(form, fillers)
      if (!args) continue
      const call = { ...phrase.call, api, args } as Call
      clauses.push({
        step: call,
        after: afterCall(context, call, phrase, outputAt(context.statedCalls.length)),
      })
    }
  }
  return clauses
}

/** The name of the output of a path's n-th call, if the program's own name is unknown. */
export const outputAt = (n: number) => `output_${n}`
