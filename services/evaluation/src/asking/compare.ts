/**
 * Similarities of texts. Each text is one question to an embeddings model, stored by text and model like
 * any answer. Otherwise this equals asking a model, with similarities as the answer.
 */
import { type ComparisonResult, type ItemNeed, buildSimilarityQuestions } from '@stateeval/flows'
import {
  addUsage,
  IncomparableVectors,
  noUsage,
  type ModelQuestion,
  describeSilence,
  computeSimilarities,
  parseVector,
} from '@stateeval/models'
import type { AskedFor } from './ask-model.ts'

/** Texts of one need. */
const maxTexts = 2_000

/** `ask` gets the position of each question in the need. */
export async function compareTexts(
  { left, right, by }: (ItemNeed & { kind: 'compare' })['payload'],
  ask: (at: number, question: ModelQuestion) => Promise<AskedFor>,
  signal: AbortSignal,
): Promise<Exclude<AskedFor, { kind: 'answered' }> | { kind: 'compared'; compared: ComparisonResult }> {
  const questions = [...buildSimilarityQuestions({ left, right }, by)]
  if (questions.length > maxTexts)
    return {
      kind: 'unanswered',
      refused: true,
      reason: `${questions.length} texts; at most ${maxTexts} can be compared`,
    }
  const compared: ComparisonResult = {
    end: { matrix: [] },
    usage: noUsage,
    retries: 0,
    repeated: 0,
    kept: 0,
    storeKeys: [],
  }
  const vectors = new Map<string, number[]>()
  const ends = await Promise.all(
    questions.map(async ([text, question], at) => ({
      text,
      question,
      end: await ask(at, question),
    })),
  )
  for (const { text, question, end } of ends) {
    if (end.kind === 'stop' || end.kind === 'ended') return end
    if (end.kind === 'unanswered') {
      if (signal.aborted) return end
      compared.end = { silent: describeSilence(question, end) }
      continue
    }
    const { answer } = end
    compared.usage = addUsage(compared.usage, answer.usage)
    compared.retries += answer.retries
    compared.repeated += answer.repeated
    compared.kept += answer.kept ? 1 : 0
    compared.storeKeys.push(answer.storeKey)
    const vector = parseVector(answer.text)
    if (vector) vectors.set(text, vector)
    else
      compared.end = {
        silent: describeSilence(question, { refused: true, reason: 'the answer is not a vector' }),
      }
  }
  const of = (texts: readonly string[]) => texts.map((text) => vectors.get(text)!)
  if ('matrix' in compared.end)
    try {
      compared.end = { matrix: computeSimilarities(of(left), of(right)) }
    } catch (error) {
      if (!(error instanceof IncomparableVectors)) throw error
      compared.end = { silent: describeSilence(questions[0]![1], { refused: false, reason: error.message }) }
    }
  return { kind: 'compared', compared }
}
