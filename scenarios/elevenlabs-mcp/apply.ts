/**
 * The transitions of the tools (equation 1), for arguments as they came: what is wrong with them is an
 * answer, never a throw.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { CallTransition } from '@stateeval/program'
import { convertSpeech, defaults, isolateSpeech, synthesizeSpeech, transcribeSpeech } from './speech.ts'
import {
  createOutputTransition,
  placePhoneCall,
  refuseStudioCall,
  type StudioWorld,
  refuseUnknownVoice,
} from './state.ts'
import { readArguments, type ToolName, tools } from './tools.ts'
import type { SpeechValue } from './types.ts'

type EffectValues = Readonly<Record<string, JsonValue | undefined>>
type StudioEffect = (world: StudioWorld, values: EffectValues) => CallTransition<StudioWorld>

const toText = (value: JsonValue | undefined) => (value ?? null) as string | null
const toNumber = (value: JsonValue | undefined, otherwise: number) => (value ?? otherwise) as number
const getInputSpeech = (values: EffectValues) => values.input_speech as SpeechValue

const effects: Readonly<Record<ToolName, StudioEffect>> = {
  search_voice_library(world, { search_name, search_category, search_gender }) {
    if (search_name === undefined && search_category === undefined && search_gender === undefined)
      return refuseStudioCall('search_voice_library needs one of search_name, search_category, search_gender')
    const fits = (requested: JsonValue | undefined, has: string) =>
      requested === undefined || requested === has
    const matches = world.voices.filter(
      ({ voice_name, category, gender }) =>
        fits(search_name, voice_name) && fits(search_category, category) && fits(search_gender, gender),
    )
    return createOutputTransition(world, matches)
  },
  text_to_speech(world, values) {
    const voice_name = toText(values.voice_name)
    const settings = {
      voice_name,
      stability: toNumber(values.stability, defaults.stability),
      similarity_boost: toNumber(values.similarity_boost, defaults.similarity_boost),
      style: toNumber(values.style, defaults.style),
    }
    return (
      refuseUnknownVoice(world, voice_name) ??
      createOutputTransition(world, synthesizeSpeech(values.text as string, settings))
    )
  },
  speech_to_speech(world, values) {
    const voice_name = values.voice_name as string
    return (
      refuseUnknownVoice(world, voice_name) ??
      createOutputTransition(world, convertSpeech(getInputSpeech(values), voice_name))
    )
  },
  speech_to_text: (world, values) =>
    createOutputTransition(world, transcribeSpeech(getInputSpeech(values), values.diarize === true)),
  isolate_audio: (world, values) => createOutputTransition(world, isolateSpeech(getInputSpeech(values))),
  make_outbound_call(world, values) {
    const voice_name = toText(values.voice_name)
    const call = {
      speech: getInputSpeech(values),
      voice_name: voice_name ?? getInputSpeech(values).voice_name,
      to_number: toText(values.to_number),
    }
    return refuseUnknownVoice(world, voice_name) ?? placePhoneCall(world, call)
  },
}

/** Applies a tool to these arguments, or says how it refuses them. */
export function applyTool(name: ToolName, world: StudioWorld, args: unknown): CallTransition<StudioWorld> {
  const reading = readArguments(tools[name], args)
  return reading.ok ? effects[name](world, reading.values) : refuseStudioCall(reading.message)
}
