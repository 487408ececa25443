/**
 * The six tools by their parameters: one table that the state machine, the MCP server and the functions in
 * the jail are made from.
 */
import type { JsonValue, JsonObject, ModelTool } from '@stateeval/contracts'
import { type ParameterKind, kinds } from './parameters.ts'

interface ToolParameter {
  name: string
  kind: ParameterKind
  required: boolean
  about: string
}
interface StudioTool {
  name: string
  about: string
  /** In the order in which they are passed by position. */
  parameters: readonly ToolParameter[]
}

const requireParameter = (name: string, kind: ParameterKind, about: string): ToolParameter => ({
  name,
  kind,
  required: true,
  about,
})
const takeParameter = (name: string, kind: ParameterKind, about: string): ToolParameter => ({
  name,
  kind,
  required: false,
  about,
})

export const tools = {
  search_voice_library: {
    name: 'search_voice_library',
    about:
      'Finds voices of the library by name, category or gender; all that are given must match exactly. Gives a list of voices, ordered by name.',
    parameters: [
      takeParameter('search_name', kinds.name, 'Name of the voice'),
      takeParameter('search_category', kinds.name, 'What the voice is meant for, such as narration'),
      takeParameter('search_gender', kinds.name, 'female or male'),
    ],
  },
  text_to_speech: {
    name: 'text_to_speech',
    about: 'Speaks a text. Gives a new speech.',
    parameters: [
      requireParameter('text', kinds.text, 'What is spoken'),
      takeParameter('voice_name', kinds.name, 'A voice of the library; the default voice otherwise'),
      takeParameter('stability', kinds.share, 'From 0 to 1, 0.5 by default'),
      takeParameter('similarity_boost', kinds.share, 'From 0 to 1, 0.75 by default'),
      takeParameter('style', kinds.share, 'From 0 to 1, 0 by default'),
    ],
  },
  speech_to_speech: {
    name: 'speech_to_speech',
    about: 'Says a speech again in another voice. Gives a new speech; noise stays as it is.',
    parameters: [
      requireParameter('input_speech', kinds.speech, 'What is said again'),
      requireParameter('voice_name', kinds.name, 'A voice of the library'),
    ],
  },
  speech_to_text: {
    name: 'speech_to_text',
    about: 'Writes down what a speech says. Gives a transcript; noise makes words inaudible.',
    parameters: [
      requireParameter('input_speech', kinds.speech, 'What is written down'),
      takeParameter('diarize', kinds.flag, 'Whether the transcript says who speaks; false by default'),
    ],
  },
  isolate_audio: {
    name: 'isolate_audio',
    about: 'Takes everything but the voice out of a speech. Gives a new speech.',
    parameters: [requireParameter('input_speech', kinds.speech, 'What is cleaned')],
  },
  make_outbound_call: {
    name: 'make_outbound_call',
    about: 'Calls somebody and plays a speech. Gives nothing.',
    parameters: [
      requireParameter('input_speech', kinds.speech, 'What is played'),
      takeParameter(
        'voice_name',
        kinds.name,
        'The library voice in which the assistant talks to them; that of the speech by default',
      ),
      takeParameter('to_number', kinds.name, 'Who is called; the number on file by default'),
    ],
  },
} as const satisfies Record<string, StudioTool>

export type ToolName = keyof typeof tools
export const toolNames = Object.keys(tools) as ToolName[]

/** The arguments of a tool as JSON Schema. */
export function buildToolSchema({ parameters }: StudioTool) {
  return {
    type: 'object' as const,
    properties: Object.fromEntries(
      parameters.map(({ name, kind, required, about }) => [
        name,
        required
          ? { ...kind.schema, description: about }
          : { anyOf: [kind.schema, { type: 'null' }], default: null, description: about },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** The tools as models see them. */
export const modelTools: readonly ModelTool[] = toolNames.map((name) => ({
  name,
  description: tools[name].about,
  parameters: buildToolSchema(tools[name]),
}))

type ToolArguments =
  | { ok: true; values: Readonly<Record<string, JsonValue | undefined>> }
  | { ok: false; message: string }

const formatParameterNames = ({ parameters }: StudioTool) => parameters.map(({ name }) => name).join(', ')

/** Checks arguments: names unknown and missing ones. Null counts as left out for optional parameters. */
export function readArguments(tool: StudioTool, args: unknown): ToolArguments {
  const wrong = (message: string): ToolArguments => ({ ok: false, message })
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return wrong(`${tool.name} takes its arguments by name, as an object`)
  const fields = args as JsonObject
  for (const name of Object.keys(fields))
    if (!tool.parameters.some((parameter) => parameter.name === name))
      return wrong(
        `${tool.name} has no parameter ${JSON.stringify(name).slice(0, 60)}; it has ${formatParameterNames(tool)}`,
      )
  const values: Record<string, JsonValue | undefined> = {}
  for (const { name, kind, required } of tool.parameters) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value === undefined || (value === null && !required)) {
      if (required) return wrong(`${tool.name} needs ${name}`)
      continue
    }
    const fault = kind.fault(value)
    if (fault !== null) return wrong(`${name} ${fault}`)
    values[name] = value
  }
  return { ok: true, values }
}
