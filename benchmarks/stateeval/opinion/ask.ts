/**
 * A failed sample as a model reads it that is to say why: the task, both programs, and what the scorer saw;
 * not what it made of it.
 */
import type { Case, Language, Message, Score } from '@stateeval/contracts'
import { emit, fillPrompt, type PromptFile } from '@stateeval/program'
import { readProgram } from '@stateeval/answers'

export const prompt: PromptFile = {
  folder: new URL('../prompts/', import.meta.url),
  must: ['instruction', 'reference', 'code', 'evidence'],
  may: ['language', 'verdict'],
}

const maxDifferences = 20
const longestCode = 40_000

interface FailedCase {
  case: Case
  /** The model's whole answer; null where it gave none. */
  answer: string | null
  score: Score
  language: Language
}

/** `text` is the prompt with slots. */
export function ask(text: string, { case: c, answer, score, language }: FailedCase): Message[] {
  const extraction = answer === null ? null : readProgram(answer, language)
  const code = extraction && 'code' in extraction ? extraction.code : ''
  const content = fillPrompt(text, {
    instruction: c.instruction.trim(),
    reference: (emit(c.program, language) ?? emit(c.program, 'javascript') ?? '').trim(),
    code: code.trim() === '' ? '(the answer contains no code)' : cutCode(code.trim()),
    language,
    verdict: score.verdict,
    evidence: formatEvidenceText(score),
  })
  return [{ role: 'user', content }]
}
const cutCode = (code: string) =>
  code.length > longestCode ? `${code.slice(0, longestCode)}\n… (cut)` : code

function formatEvidenceText({ verdict, evidence: { input, error, differences } }: Score): string {
  const lines = differences.slice(0, maxDifferences).map(({ says }) => `- ${says}`)
  const more = differences.length - lines.length
  return [
    `Verdict: ${verdict}${input === undefined ? '' : `, on input ${input + 1}`}`,
    ...(error
      ? [
          `- ${error.name}: ${error.message}${error.line === undefined ? '' : ` (line ${error.line})`}${error.status === undefined ? '' : ` (HTTP ${error.status})`}`,
        ]
      : []),
    ...lines,
    ...(more > 0 ? [`- … and ${more} more differences`] : []),
  ].join('\n')
}
