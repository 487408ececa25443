/** An answer as each policy reads it, and the programs that have to run for that. */
import type { AnswerReading } from '@stateeval/contracts'
import { codeFile } from './answer/code-file.ts'
import { extractPublished, publishedProgram, syntaxFault } from './answer/published.ts'
import { readSoundly } from './answer/sound/read.ts'
import type { ErrorVerdict } from './judge/types.ts'
import type { Layout } from './prompt/prompt.ts'

export const policies = ['published', 'sound'] as const
export type Policy = (typeof policies)[number]

/** Why nothing of an answer runs, as it is kept with the candidate: a verdict, then a reason. */
const none = (error: ErrorVerdict, says: string) => `${error}: ${says}`
export function noneOf(text: string): { error: ErrorVerdict; says: string } {
  const at = text.indexOf(': ')
  return { error: text.slice(0, at) as ErrorVerdict, says: text.slice(at + 2) }
}

/** Scans by hand: a pattern would look at long runs of blanks again and again. */
function bare(program: string): string {
  let end = program.length
  while (end > 0 && ' \t\n\r;'.includes(program[end - 1]!)) end--
  return program.slice(0, end)
}

interface Read {
  readings: AnswerReading[]
  /** Each program once: where both policies take the same text, it runs once. */
  programs: string[]
}

export function read(answer: string, starter: string, layout: Layout): Read {
  const programs: string[] = []
  const runOf = (program: string) => {
    // Blanks before the last semicolon are what a cut-off handler leaves; they change nothing.
    const at = programs.findIndex((other) => bare(other) === bare(program))
    return at < 0 ? programs.push(program) - 1 : at
  }
  const readings = [published(answer, starter, layout), sound(answer, starter)].map(
    ([policy, result]): AnswerReading => {
      if ('program' in result) return { policy, code: result.program, run: runOf(result.program) }
      return {
        policy,
        ...(result.code !== undefined && { code: result.code }),
        none: none(result.error, result.says),
        run: null,
      }
    },
  )
  return { readings, programs }
}

type Found = { program: string } | { error: ErrorVerdict; says: string; code?: string }

function published(answer: string, starter: string, layout: Layout): [Policy, Found] {
  const extraction = extractPublished(codeFile(answer, starter, layout))
  if ('error' in extraction) return ['published', extraction]
  const program = publishedProgram(extraction.code)
  const fault = syntaxFault(program)
  return [
    'published',
    fault === null
      ? { program }
      : {
          error: 'EXECUTION_ERROR',
          says: `the extracted text is not a valid script: ${fault}`,
          code: extraction.code,
        },
  ]
}

function sound(answer: string, starter: string): [Policy, Found] {
  const reading = readSoundly(answer, starter)
  return ['sound', 'error' in reading ? reading : { program: reading.code }]
}
