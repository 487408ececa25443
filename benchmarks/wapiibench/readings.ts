/** An answer as each policy reads it, and the programs that have to run for that. */
import type { AnswerReading } from '@stateeval/contracts'
import { buildCodeFile } from './answer/code-file.ts'
import { extractPublished, buildPublishedProgram, findSyntaxFault } from './answer/published.ts'
import { readSoundly } from './answer/sound/read.ts'
import type { ErrorVerdict } from './judge/types.ts'
import type { PromptLayout } from './prompt/prompt.ts'

export const policies = ['published', 'sound'] as const
export type WapiiPolicy = (typeof policies)[number]

/** Why nothing of an answer runs, as it is kept with the candidate: a verdict, then a reason. */
const createNothing = (error: ErrorVerdict, says: string) => `${error}: ${says}`
export function describeNothing(text: string): { error: ErrorVerdict; says: string } {
  const at = text.indexOf(': ')
  return { error: text.slice(0, at) as ErrorVerdict, says: text.slice(at + 2) }
}

/** Scans by hand: a pattern would look at long runs of blanks again and again. */
function stripDirective(program: string): string {
  let end = program.length
  while (end > 0 && ' \t\n\r;'.includes(program[end - 1]!)) end--
  return program.slice(0, end)
}

interface AnswerReadings {
  readings: AnswerReading[]
  /** Each program once: where both policies take the same text, it runs once. */
  programs: string[]
}

export function read(answer: string, starter: string, layout: PromptLayout): AnswerReadings {
  const programs: string[] = []
  const runOf = (program: string) => {
    // Blanks before the last semicolon are what a cut-off handler leaves; they change nothing.
    const at = programs.findIndex((other) => stripDirective(other) === stripDirective(program))
    return at < 0 ? programs.push(program) - 1 : at
  }
  const readings = [readPublishedPolicy(answer, starter, layout), readSoundPolicy(answer, starter)].map(
    ([policy, result]): AnswerReading => {
      if ('program' in result) return { policy, code: result.program, run: runOf(result.program) }
      return {
        policy,
        ...(result.code !== undefined && { code: result.code }),
        none: createNothing(result.error, result.says),
        run: null,
      }
    },
  )
  return { readings, programs }
}

type FoundProgram = { program: string } | { error: ErrorVerdict; says: string; code?: string }

function readPublishedPolicy(
  answer: string,
  starter: string,
  layout: PromptLayout,
): [WapiiPolicy, FoundProgram] {
  const extraction = extractPublished(buildCodeFile(answer, starter, layout))
  if ('error' in extraction) return ['published', extraction]
  const program = buildPublishedProgram(extraction.code)
  const fault = findSyntaxFault(program)
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

function readSoundPolicy(answer: string, starter: string): [WapiiPolicy, FoundProgram] {
  const reading = readSoundly(answer, starter)
  return ['sound', 'error' in reading ? reading : { program: reading.code }]
}
