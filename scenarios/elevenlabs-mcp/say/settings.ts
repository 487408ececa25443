/** Endings of phrases in which each setting may be said or left out. */
import type { PhraseForm } from '@stateeval/program'

const spoken = {
  stability: 'stability {stability}',
  similarity_boost: 'similarity boost {similarity_boost}',
  style: 'style {style}',
}
type SpokenSetting = keyof typeof spoken

const choices: readonly (readonly SpokenSetting[])[] = [
  [],
  ['stability'],
  ['similarity_boost'],
  ['style'],
  ['stability', 'similarity_boost'],
  ['stability', 'style'],
  ['similarity_boost', 'style'],
  ['stability', 'similarity_boost', 'style'],
]

const joinSeries = (texts: readonly string[]) =>
  texts.length < 3 ? texts.join(' and ') : `${texts.slice(0, -1).join(', ')}, and ${texts.at(-1) as string}`

/** The form, once for each choice of settings. */
export const withSettings = (form: PhraseForm): PhraseForm[] =>
  choices.map((settings) => ({
    says: form.says.map((text) =>
      settings.length === 0
        ? text
        : `${text}, with ${joinSeries(settings.map((setting) => spoken[setting]))}`,
    ),
    args: { ...form.args, ...Object.fromEntries(settings.map((setting) => [setting, { slot: setting }])) },
    slots: { ...form.slots, ...Object.fromEntries(settings.map((setting) => [setting, 'value' as const])) },
  }))
