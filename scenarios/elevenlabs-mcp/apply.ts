/**
 * The transitions of the tools (equation 1), for arguments as they came: what is wrong with them is an
 * answer, never a throw.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { Transition } from '@stateeval/program'
import { converted, defaults, isolated, synthesised, transcribed } from './speech.ts'
import { gives, place, refuse, type StudioWorld, unknownVoice } from './state.ts'
import { readArguments, type ToolName, tools } from './tools.ts'
import type { Speech } from './types.ts'

type Values = Readonly<Record<string, JsonValue | undefined>>
type Effect = (world: StudioWorld, values: Values) => Transition<StudioWorld>

const text = (value: JsonValue | undefined) => (value ?? null) as string | null
const number = (value: JsonValue | undefined, otherwise: number) => (value ?? otherwise) as number
const speech = (values: Values) => values.input_speech as Speech

const effects: Readonly<Record<ToolName, Effect>> = {
  search_voice_library(world, { search_name, search_category, search_gender }) {
    if (search_name === undefined && search_category === undefined && search_gender === undefined)
      return refuse('search_voice_library needs one of search_name, search_category, search_gender')
    const fits = (requested: JsonValue | undefined, has: string) =>
      requested === undefined || requested === has
    const matches = world.voices.filter(
      ({ voice_name, category, gender }) =>
        fits(search_name, voice_name) && fits(search_category, category) && fits(search_gender, gender),
    )
    return gives(world, matches)
  },
  text_to_speech(world, values) {
    const voice_name = text(values.voice_name)
    const settings = {
      voice_name,
      stability: number(values.stability, defaults.stability),
      similarity_boost: number(values.similarity_boost, defaults.similarity_boost),
      style: number(values.style, defaults.style),
    }
    return unknownVoice(world, voice_name) ?? gives(world, synthesised(values.text as string, settings))
  },
  speech_to_speech(world, values) {
    const voice_name = values.voice_name as string
    return unknownVoice(world, voice_name) ?? gives(world, converted(speech(values), voice_name))
  },
  speech_to_text: (world, values) => gives(world, transcribed(speech(values), values.diarize === true)),
  isolate_audio: (world, values) => gives(world, isolated(speech(values))),
  make_outbound_call(world, values) {
    const voice_name = text(values.voice_name)
    const call = {
      speech: speech(values),
      voice_name: voice_name ?? speech(values).voice_name,
      to_number: text(values.to_number),
    }
    return unknownVoice(world, voice_name) ?? place(world, call)
  },
}

/** Applies a tool to these arguments, or how it refuses them. */
export function applyTool(name: ToolName, world: StudioWorld, args: unknown): Transition<StudioWorld> {
  const reading = readArguments(tools[name], args)
  return reading.ok ? effects[name](world, reading.values) : refuse(reading.message)
}
