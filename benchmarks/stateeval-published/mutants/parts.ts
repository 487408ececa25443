/** A published program taken apart, and the places where a mistake may be made. */
import { type LogicalLine, type ProgramToken, readLogicalLines } from '@stateeval/program'

export interface ProgramParts {
  program: string
  lines: LogicalLine[]
  /** Variables that are there before it runs. */
  variables: string[]
}
export interface EditSite {
  edits: readonly { from: number; to: number; text: string }[]
  /** Number of the line, from 1. */
  number: number
}

const voiceFunctions = new Set([
  'search_voice_library',
  'text_to_speech',
  'speech_to_speech',
  'speech_to_text',
  'isolate_audio',
  'make_outbound_call',
])
/**
 * Tells whether this token begins a call of an API: a method of requests, a function of torch, or one of the
 * voice functions.
 */
export function isApi(tokens: readonly ProgramToken[], n: number): boolean {
  const token = tokens[n]
  if (token?.kind !== 'name') return false
  if (voiceFunctions.has(token.text)) return tokens[n + 1]?.text === '('
  return (token.text === 'requests' || token.text === 'torch') && tokens[n + 1]?.text === '.'
}

const pattern = /^(?:user|response|condition)_\w+$/
export const isVariable = (name: string) => pattern.test(name)

const assignment = /^([A-Za-z_]\w*) = /gm

export const splitProgram = (program: string, init: string, loaded: readonly string[]): ProgramParts => ({
  program,
  lines: readLogicalLines(program),
  variables: [
    ...new Set(
      [...init.matchAll(assignment)]
        .map(([, name]) => name!)
        .filter(isVariable)
        .concat(loaded),
    ),
  ],
})

/** The program with the edits of a site made. */
export function applyEdits(program: string, { edits }: EditSite): string {
  let text = program
  for (const { from, to, text: put } of edits.toSorted((a, b) => b.from - a.from))
    text = text.slice(0, from) + put + text.slice(to)
  return text
}

/** Describes a site's change for people: the line as it is afterwards. */
export function describeEdit(program: string, site: EditSite): string {
  const after = applyEdits(program, site).split('\n')
  const line = after[site.number - 1]?.trim() ?? ''
  return `line ${site.number}: ${line.length > 120 ? `${line.slice(0, 120)}…` : line}`
}
