/**
 * Types of the tools' inputs and outputs: values, never handles. A tool returns a new value and leaves its
 * input unchanged.
 */
import { type JsonValue, type JsonObject, isRecord } from '@stateeval/contracts'

/** A tool's effect on a value: its name, and the parameters that say how. */
export interface StatedCall extends JsonObject {
  tool: string
}

/** Something spoken: a person's recording, or what the tools made of it or of a text. */
export interface SpeechValue extends JsonObject {
  modality: 'speech'
  text: string
  /** The library voice that speaks; null for a person's own voice. */
  voice_name: string | null
  /** True if the voice is isolated from noise. */
  is_isolated: boolean
  /** How long it takes, in whole seconds. */
  duration: number
  /** Parameter of the synthesis, from 0 to 1; null for speech that no tool has synthesised. */
  stability: number | null
  similarity_boost: number | null
  style: number | null
  /** The tools that were applied to it, oldest first. */
  history: StatedCall[]
}

/** The transcript of a speech. */
export interface SpeechTranscript extends JsonObject {
  modality: 'text'
  text: string
  /** Words that were understood. */
  word_count: number
  diarize: boolean
  /** That of the speech, and the transcription. */
  history: StatedCall[]
}

/** A voice of the library. Names are unique. */
export interface LibraryVoice extends JsonObject {
  modality: 'voice'
  voice_name: string
  category: string
  gender: string
}

/** A call that was placed. */
export interface PlacedCall extends JsonObject {
  speech: SpeechValue
  /** The library voice in which the assistant of the call speaks; null where it has the person's own. */
  voice_name: string | null
  /** The called number; null for the number that the account has on file. */
  to_number: string | null
}

/** A user's wish for a voice, and somebody to call: variables of the initialisation block. */
export interface VoiceWish extends JsonObject {
  search_category: string
  search_gender: string
}
export interface PhoneContact extends JsonObject {
  name: string
  to_number: string
}

export const isSpeech = (value: JsonValue | undefined): value is SpeechValue =>
  isRecord(value) && value.modality === 'speech'
export const isTranscript = (value: JsonValue | undefined): value is SpeechTranscript =>
  isRecord(value) && value.modality === 'text'
export const isVoice = (value: JsonValue | undefined): value is LibraryVoice =>
  isRecord(value) && value.modality === 'voice'
export const isWish = (value: JsonValue | undefined): value is VoiceWish =>
  isRecord(value) && typeof value.search_category === 'string'
export const isContact = (value: JsonValue | undefined): value is PhoneContact =>
  isRecord(value) && typeof value.to_number === 'string'
