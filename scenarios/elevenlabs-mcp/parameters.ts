/**
 * Kinds of tool parameters: as JSON Schema for clients, and as a check with messages that say what to
 * do.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { memoize } from '@stateeval/program'
import { isSpeech, type SpeechValue } from './types.ts'

export interface ParameterKind {
  /** In JSON Schema, for the list of tools. */
  schema: JsonObject
  /** Finds the fault of a value, after the parameter's name; null where there is none. */
  fault: (value: JsonValue) => string | null
}

const maxLengths = { text: 5000, name: 100, history: 200, parameters: 10 } as const

const describeValueKind = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `the ${typeof value} ${JSON.stringify(value).slice(0, 60)}`
  return typeof value.modality === 'string'
    ? `an object of the modality ${JSON.stringify(value.modality).slice(0, 40)}`
    : 'an object'
}

const defineText = (longest: number): ParameterKind => ({
  schema: { type: 'string', minLength: 1, maxLength: longest },
  fault: (value) => {
    if (typeof value !== 'string') return `takes a string, not ${describeValueKind(value)}`
    if (value.trim() === '') return 'is empty'
    return value.length > longest ? `takes at most ${longest} characters` : null
  },
})

/** A number from 0 to 1. */
const share: ParameterKind = {
  schema: { type: 'number', minimum: 0, maximum: 1 },
  fault: (value) =>
    typeof value === 'number' && value >= 0 && value <= 1
      ? null
      : `takes a number from 0 to 1, not ${describeValueKind(value)}`,
}

const flag: ParameterKind = {
  schema: { type: 'boolean' },
  fault: (value) =>
    typeof value === 'boolean' ? null : `takes true or false, not ${describeValueKind(value)}`,
}

const defineNullableKind = ({ schema, fault }: ParameterKind): ParameterKind => ({
  schema: { anyOf: [schema, { type: 'null' }] },
  fault: (value) => (value === null ? null : fault(value)),
})

const isScalar = (part: JsonValue | undefined) =>
  part === null || (typeof part !== 'object' && !(typeof part === 'string' && part.length > maxLengths.name))

const statedCall: ParameterKind = {
  schema: { type: 'object', properties: { tool: { type: 'string' } }, required: ['tool'] },
  fault: (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || typeof value.tool !== 'string')
      return 'is not a history entry'
    const parts = Object.values(value)
    return parts.length <= maxLengths.parameters && parts.every(isScalar) ? null : 'is not a history entry'
  },
}

/** The fields of a speech besides its modality. */
const fields: Readonly<Record<string, ParameterKind>> = {
  text: defineText(maxLengths.text),
  voice_name: defineNullableKind(defineText(maxLengths.name)),
  is_isolated: flag,
  duration: {
    schema: { type: 'integer', minimum: 0 },
    fault: (value) =>
      Number.isSafeInteger(value) && (value as number) >= 0
        ? null
        : `is a number of seconds, not ${describeValueKind(value)}`,
  },
  stability: defineNullableKind(share),
  similarity_boost: defineNullableKind(share),
  style: defineNullableKind(share),
  history: {
    schema: { type: 'array', items: statedCall.schema, maxItems: maxLengths.history },
    fault: (value) => {
      if (!Array.isArray(value)) return `is a list, not ${describeValueKind(value)}`
      if (value.length > maxLengths.history) return `has at most ${maxLengths.history} entries`
      return value.map(statedCall.fault).find((fault) => fault !== null) ?? null
    },
  },
}

const fieldList = Object.entries(fields)

const speech: ParameterKind = {
  schema: {
    type: 'object',
    properties: {
      modality: { const: 'speech' },
      ...Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
    },
    required: ['modality', ...Object.keys(fields)],
    additionalProperties: false,
  },
  fault: (value) =>
    isSpeech(value) ? faultOfSpeech(value) : `takes a speech, not ${describeValueKind(value)}`,
}

/** Speeches are values, and the state machine hands the same one to tool after tool. */
const faultOfSpeech = memoize((value: SpeechValue): string | null => {
  for (const [name, { fault }] of fieldList) {
    if (!Object.hasOwn(value, name)) return `is a speech without ${name}`
    const wrong = fault(value[name] as JsonValue)
    if (wrong !== null) return `is not a speech: its ${name} ${wrong}`
  }
  const extra = Object.keys(value).find((name) => name !== 'modality' && !Object.hasOwn(fields, name))
  return extra === undefined
    ? null
    : `is not a speech: it has the extra field ${JSON.stringify(extra).slice(0, 60)}`
})

export const kinds = {
  text: defineText(maxLengths.text),
  name: defineText(maxLengths.name),
  share,
  flag,
  speech,
} as const
