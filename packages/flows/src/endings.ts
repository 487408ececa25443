/** How the answers of a model end: marks that belong to no answer, and why the model stopped. */
import { listAnswerMarks } from '@stateeval/answers'
import type { AnswerEnding } from '@stateeval/contracts'
import { finishMeaning } from '@stateeval/models'
import type { EpisodeEntry } from './dialogue.ts'

/** Answers, and how many of them end in which way, by its name; usual ways are left out. */
export interface AnswerEndings {
  answers: number
  unusual: Record<string, number>
}
type EndingKind = AnswerEnding['kind']

/** Longer words of endpoints differ only in what is not shown. */
const longestMark = 64

function listEndingNames(text: string, finish: string): string[] {
  const { leftover, thought, endsInThought } = listAnswerMarks(text)
  const means = finishMeaning(finish)
  const name = (kind: EndingKind, mark: string) => `${kind} ${mark.slice(0, longestMark)}`
  return [
    ...(leftover === null ? [] : [name('leftover', leftover)]),
    ...(endsInThought && thought !== null ? [name('thought', thought)] : []),
    ...(means === 'stop' || means === 'calls' ? [] : [name('finish', finish)]),
  ]
}

/** The endings of the model's answers in a dialogue. */
export function countEndings(entries: readonly EpisodeEntry[]): AnswerEndings {
  const unusual: Record<string, number> = {}
  let answers = 0
  for (const entry of entries) {
    if (!('messages' in entry) || entry.role !== 'model') continue
    for (const message of entry.messages) {
      if (message.role !== 'assistant') continue
      answers++
      for (const name of listEndingNames(message.content, message.finish ?? 'stop'))
        unusual[name] = (unusual[name] ?? 0) + 1
    }
  }
  return { answers, unusual }
}

/** From this share on, an ending is no accident. */
const leastShare = 0.05

/** The endings of many samples that a report warns of, the most frequent first; `of` is all answers. */
export function listFrequentEndings(all: readonly (AnswerEndings | undefined)[]): AnswerEnding[] {
  const of = all.reduce((sum, endings) => sum + (endings?.answers ?? 0), 0)
  const sums = new Map<string, number>()
  for (const endings of all)
    for (const [name, count] of Object.entries(endings?.unusual ?? {}))
      sums.set(name, (sums.get(name) ?? 0) + count)
  return [...sums]
    .filter(([, answers]) => answers >= of * leastShare)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name, answers]) => {
      const at = name.indexOf(' ')
      return { kind: name.slice(0, at) as EndingKind, mark: name.slice(at + 1), answers, of }
    })
}
