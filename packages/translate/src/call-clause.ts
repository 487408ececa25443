/** A call as a clause: 'add `user_variable_0` as a new session'. */
import type { Call } from '@stateeval/contracts'
import type { SlotKind } from '@stateeval/program'
import { afterCall, type Context, phraseOf } from './context.ts'
import { argsOf, flatForms, unify } from './form.ts'
import type { Reading } from './reading.ts'
import { type Filler, readFiller, sayFiller } from './slots.ts'
import { fill, match } from './template.ts'
import { fitting, type Voice } from './voice.ts'

/** Says a call, or null where no form of its API fits. */
export function sayCall(call: Call, context: Context, voice: Voice): string | null {
  const phrase = phraseOf(context, call.api)
  if (!phrase) return null
  const options = flatForms(phrase).flatMap((form) =>
    unify(form, call, context).flatMap((fillers) => {
      const things = Object.values(fillers).filter(({ kind }) => kind === 'thing').length
      return form.says.flatMap((says) => {
        const texts = Object.entries(fillers).map(([slot, filler]) => [
          slot,
          sayFiller(filler, form.slots[slot] as SlotKind, context, voice),
        ])
        if (texts.some(([, text]) => text === null)) return []
        return [{ text: fill(says, Object.fromEntries(texts) as Record<string, string>), rank: form.rank, things }]
      })
    }),
  )
  // The most specific form reads best, and a variable's name better than a thing that has the same parts.
  const rank = Math.min(...options.map((option) => option.rank))
  const things = Math.min(...options.filter((option) => option.rank === rank).map((option) => option.things))
  const best = options.filter((option) => option.rank === rank && option.things === things)
  return best.length === 0 ? null : voice.rng.pick(fitting(best, voice)).text
}

/** Every call that these tokens may mean, with the context after it. */
export function readCall(reading: Reading, from: number, to: number, context: Context): { step: Call; after: Context }[] {
  const found: { step: Call; after: Context }[] = []
  for (const { id, say } of context.operations) {
    for (const form of flatForms(say)) {
      for (const says of form.says) {
        const all = match<Filler>(says, reading.tokens, from, to, (slot, start, end) =>
          reading.once(`slot ${form.slots[slot]}`, context, start, end, () =>
            readFiller(reading, start, end, form.slots[slot] as SlotKind, context),
          ),
        )
        for (const fillers of all) {
          const args = argsOf(form, fillers)
          if (!args) continue
          const call = { ...say.call, api: id, args } as Call
          found.push({ step: call, after: afterCall(context, call, say, outputAt(context.deeds.length)) })
        }
      }
    }
  }
  return found
}

/** The name that the output of the n-th call of a path has where the program's own name isn't known. */
export const outputAt = (n: number) => `output_${n}`
