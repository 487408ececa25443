/** A call as a clause: 'add `user_variable_0` as a new session'. */
import type { Call } from '@stateeval/contracts'
import { type CallPhrase, fitCallShape, type SlotKind } from '@stateeval/program'
import { enterAfterCall, type TranslationContext, findPhrase } from './context.ts'
import { type SlotFiller, findSlotPath } from './filler.ts'
import { buildFormArguments, type FlatForm, listFlatForms, unifyForm } from './form.ts'
import type { TextToken } from './text/lex.ts'
import type { InstructionReading } from './reading.ts'
import { readFiller, sayFiller } from './slots.ts'
import { fillTemplate, match, type WordingTemplate, compileTemplate } from './text/template.ts'
import { selectFitting, type WordingVoice } from './voice.ts'

/** Phrases a call, or returns null if no form of its API fits. */
export function sayCall(call: Call, context: TranslationContext, voice: WordingVoice): string | null {
  const phrase = findPhrase(context, call.api)
  if (!phrase) return null
  // The most specific form that fits reads best: forms come in this order.
  for (const forms of Object.values(Object.groupBy(listFlatForms(phrase), ({ rank }) => rank))) {
    const options = (forms ?? []).flatMap((form) =>
      unifyForm(form, call, context).flatMap((fillers) => sayForm(form, fillers, context, voice)),
    )
    // A variable's name reads better than a thing that has the same parts.
    const things = Math.min(...options.map((option) => option.things))
    const best = options.filter((option) => option.things === things)
    if (best.length > 0) return voice.rng.pick(selectFitting(best, voice)).text
  }
  return null
}

function sayForm(
  form: FlatForm,
  fillers: Readonly<Record<string, SlotFiller>>,
  context: TranslationContext,
  voice: WordingVoice,
) {
  const texts: Record<string, string> = {}
  for (const [slot, filler] of Object.entries(fillers)) {
    const text = sayFiller(
      filler,
      form.slots[slot] as SlotKind,
      context,
      voice,
      listReadParts(slot, form, fillers),
    )
    if (text === null) return []
    texts[slot] = text
  }
  const things = Object.values(fillers).filter(({ kind }) => kind === 'thing').length
  return form.says.map((says) => ({ text: fillTemplate(says, texts), things }))
}

/** The parts of what fills a slot that the arguments take. */
const listReadParts = (slot: string, { args }: FlatForm, fillers: Readonly<Record<string, SlotFiller>>) =>
  Object.values(args).flatMap((pattern) =>
    'slot' in pattern && pattern.slot === slot ? [findSlotPath(pattern.path ?? [], fillers) ?? []] : [],
  )

/** The wordings of all APIs by their first word, which is most often their verb. */
const wordings = new WeakMap<TranslationContext['operations'], Map<string, CallWording[]>>()
interface CallWording {
  api: string
  phrase: CallPhrase
  form: FlatForm
  says: WordingTemplate
}
function listWordings(
  token: TextToken | undefined,
  operations: TranslationContext['operations'],
): readonly CallWording[] {
  let all = wordings.get(operations)
  if (!all) {
    const each = operations.flatMap(({ id, say }) =>
      listFlatForms(say).flatMap((form) =>
        form.says.map((says): CallWording => ({ api: id, phrase: say, form, says: compileTemplate(says) })),
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
  context: TranslationContext,
): { step: Call; after: TranslationContext }[] {
  const clauses: { step: Call; after: TranslationContext }[] = []
  for (const { api, phrase, form, says } of listWordings(reading.tokens[from], context.operations)) {
    const all = match<SlotFiller>(says, reading.tokens, from, to, (slot, start, end) => {
      const kind = form.slots[slot] as SlotKind
      return reading.once(`slot ${kind}`, context, start, end, () =>
        readFiller(reading, start, end, kind, context),
      )
    })
    for (const fillers of all) {
      const args = buildFormArguments(form, fillers)
      if (!args) continue
      const call = { ...fitCallShape(phrase.call, args), api, args } as Call
      clauses.push({
        step: call,
        after: enterAfterCall(context, call, phrase, formatOutputName(context.statedCalls.length)),
      })
    }
  }
  return clauses
}

/** The name of the output of a path's n-th call, if the program's own name is unknown. */
export const formatOutputName = (n: number) => `output_${n}`
