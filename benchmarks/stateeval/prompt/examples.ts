/** Solved cases beside the task (few-shot), and which may stand there. */
import type { Case, Language, Program } from '@stateeval/contracts'
import { emit, isCall, listBlocks } from '@stateeval/program'
import { rulesOf } from './rules.ts'

const describeProgramShape = (program: Program) =>
  listBlocks(program)
    .map(([, { steps }]) => steps.map((step) => (isCall(step) ? step.api : 'edit')).join())
    .join(';')

/**
 * Tells whether a solved case may be shown before another one: of the same scenario, another program with
 * another instruction, and no case that makes the same calls in the same order, whose code would be the
 * solution with other names.
 */
export const canShow = (c: Case, example: Case): boolean =>
  example.scenario === c.scenario &&
  example.id !== c.id &&
  example.program.id !== c.program.id &&
  example.instruction.trim() !== c.instruction.trim() &&
  describeProgramShape(example.program) !== describeProgramShape(c.program)

/**
 * The examples as a section of the prompt: instruction and reference code of each, never values or oracles.
 */
export function formatExamples(examples: readonly Case[], language: Language): string {
  const fence = rulesOf[language]?.fence ?? language
  const sections = examples.flatMap(({ instruction, program }, n) => {
    const code = emit(program, language)
    return code === null
      ? []
      : [`### Example ${n + 1}\n\n${instruction.trim()}\n\n\`\`\`${fence}\n${code.trim()}\n\`\`\``]
  })
  return `## Examples\n\nOther tasks of the same service with their solutions. Their variables have other values than yours.\n\n${sections.join('\n\n')}`
}
