/** Similarities of texts: each text is one question to an embeddings model, kept by text and model like any answer. */
import { addUsage, noUsage, silenceOf, similarities, vectorIn } from '@stateeval/models'
import type { Compared, ItemNeed } from '../flows/flow.ts'
import { similarQuestions } from '../flows/needs.ts'
import type { Owner } from '../owners/owner.ts'
import { type AskedFor, type Asking, askModel } from './ask-model.ts'

/** Texts of one need. */
const maxTexts = 2_000

/** The same as askModel, with similarities in place of an answer. */
export async function compare(
  context: Asking,
  owner: Owner,
  step: string,
  { left, right, by }: (ItemNeed & { kind: 'compare' })['payload'],
  signal: AbortSignal,
): Promise<Exclude<AskedFor, { kind: 'answered' }> | { kind: 'compared'; compared: Compared }> {
  const questions = [...similarQuestions({ left, right }, by)]
  if (questions.length > maxTexts)
    return {
      kind: 'unanswered',
      refused: true,
      reason: `${questions.length} texts; ${maxTexts} are compared at most`,
    }
  const compared: Compared = {
    end: { matrix: [] },
    usage: noUsage,
    retries: 0,
    repeated: 0,
    kept: 0,
    places: [],
  }
  const vectors = new Map<string, number[]>()
  const asked = await Promise.all(
    questions.map(async ([text, question], at) => ({
      text,
      question,
      ended: await askModel(context, owner, `${step}/${at}`, question, signal, 'similar'),
    })),
  )
  for (const { text, question, ended } of asked) {
    if (ended.kind === 'stop') return ended
    if (ended.kind === 'unanswered') {
      if (signal.aborted) return ended
      compared.end = { silent: silenceOf(question, ended) }
      continue
    }
    const { answer } = ended
    compared.usage = addUsage(compared.usage, answer.usage)
    compared.retries += answer.retries
    compared.repeated += answer.repeated
    compared.kept += answer.kept ? 1 : 0
    compared.places.push(answer.place)
    const vector = vectorIn(answer.text)
    if (vector) vectors.set(text, vector)
    else compared.end = { silent: silenceOf(question, { refused: true, reason: 'the answer is no vector' }) }
  }
  const of = (texts: readonly string[]) => texts.map((text) => vectors.get(text) ?? [])
  if ('matrix' in compared.end) compared.end = { matrix: similarities(of(left), of(right)) }
  return { kind: 'compared', compared }
}
