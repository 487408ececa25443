/** Which voice a call takes: one that a search found, that of a speech, or one that the instruction names. */
import type { Atom } from '@stateeval/contracts'
import { createLiteral, createRef, type RandomSource, type TraceScope } from '@stateeval/program'
import { foundVoices, type NamedValue, listVoicedSpeeches } from './scope.ts'
import type { StudioWorld } from './state.ts'
import type { SpeechValue, LibraryVoice } from './types.ts'

interface VoiceChoice {
  expr: Atom
  name: string
}

/**
 * A voice other than these, for a program: found voices that nothing uses come first. Null where there is
 * none.
 */
export function chooseVoice(
  scope: TraceScope<StudioWorld>,
  rng: RandomSource,
  others: readonly string[] = [],
): VoiceChoice | null {
  const voices = foundVoices(scope).filter(({ value }) => !others.includes(value.voice_name))
  const unused = voices.filter(({ binding }) => !binding.used)
  if (unused.length > 0 && rng.chance(0.97)) return chooseHit(rng.pick(selectLatestHits(unused)))
  const spoken = listVoicedSpeeches(scope).filter(({ value }) => !others.includes(value.voice_name as string))
  const draw = rng.unit()
  if (voices.length > 0 && draw < 0.75) return chooseHit(rng.pick(voices))
  if (spoken.length > 0 && draw < 0.9) {
    const { binding, value } = rng.pick(spoken)
    return { expr: createRef(binding.name, 'voice_name'), name: value.voice_name as string }
  }
  const all = scope.world.voices.filter(({ voice_name }) => !others.includes(voice_name))
  if (all.length === 0) return null
  const name = rng.pick(all).voice_name
  return { expr: createLiteral(name) as Atom, name }
}

/** The hits of the newest search among them. */
const selectLatestHits = (hits: readonly NamedValue<LibraryVoice>[]) =>
  hits.filter(({ binding }) => binding === hits.at(-1)?.binding)

const chooseHit = ({ reference, value }: NamedValue<LibraryVoice>): VoiceChoice => ({
  expr: createRef(reference.variable, ...reference.path, 'voice_name'),
  name: value.voice_name,
})

/** The voices that a speech has or had. */
export const listVoices = ({ voice_name, history }: SpeechValue): string[] =>
  [voice_name, ...history.map((statedCall) => statedCall.voice_name)].filter(
    (name) => typeof name === 'string',
  )
