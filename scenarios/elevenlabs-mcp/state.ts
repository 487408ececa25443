/** The state schema: the voice library and the calls placed, as an immutable value. */
import { toJson, type JsonValue, type WorldState } from '@stateeval/contracts'
import type { CallTransition } from '@stateeval/program'
import type { PlacedCall, LibraryVoice } from './types.ts'

export interface StudioWorld {
  /** Sorted by name. No tool changes it. */
  voices: readonly LibraryVoice[]
  /** In the order in which they were placed. */
  calls: readonly PlacedCall[]
}

/** A world's initial form: the library. */
export type InitialStudio = {
  voices: { voice_name: string; category: string; gender: string }[]
}

const compareVoiceNames = (a: LibraryVoice, b: LibraryVoice) =>
  a.voice_name < b.voice_name ? -1 : a.voice_name > b.voice_name ? 1 : 0

export const openStudio = ({ voices }: InitialStudio): StudioWorld => ({
  voices: voices
    .map(({ voice_name, category, gender }): LibraryVoice => ({
      modality: 'voice',
      voice_name,
      category,
      gender,
    }))
    .sort(compareVoiceNames),
  calls: [],
})

/** The state that outlives a run: the calls placed. Speeches and voices carry no ids. */
export const observeStudio = ({ calls }: StudioWorld): WorldState => ({
  state: { calls: toJson(calls) },
  ids: { initial: [], created: [] },
  gone: [],
})

const hasVoice = ({ voices }: StudioWorld, name: string) =>
  voices.some(({ voice_name }) => voice_name === name)

type StudioRefusal = Extract<CallTransition<never>, { ok: false }>
export const refuseStudioCall = (message: string): StudioRefusal => ({
  ok: false,
  error: { status: 400, message },
})

/** How a tool refuses a voice that the library doesn't have; null where it has it, or none is asked for. */
export const refuseUnknownVoice = (world: StudioWorld, name: string | null): StudioRefusal | null =>
  name === null || hasVoice(world, name)
    ? null
    : refuseStudioCall(
        `voice_name: the library has no voice ${JSON.stringify(name)}; list its voices with search_voice_library`,
      )

/** A transition that changes nothing but what it gives. */
export const createOutputTransition = (
  world: StudioWorld,
  output: JsonValue,
): CallTransition<StudioWorld> => ({
  ok: true,
  world,
  output,
  affects: [],
  reads: [],
})

/** The world after a call is placed. */
export const placePhoneCall = (world: StudioWorld, call: PlacedCall): CallTransition<StudioWorld> => ({
  ok: true,
  world: { ...world, calls: [...world.calls, call] },
  affects: ['calls'],
  reads: [],
})
