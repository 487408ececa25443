/** Stored answers: inserted once, by key, never changed. The first stored answer counts. */
import type { UnansweredQuestion } from './asking/question.ts'
import type { ModelAnswer } from './request.ts'

export interface KeptAnswer extends ModelAnswer {
  /** The hash of the question; see answerKey. */
  key: string
  /** The first caller: an evaluation, a build, a translation. */
  by: string
  /** The step of the asker that paid for it. Absent where a version before stored it. */
  step?: string
  /** Tries after the first that it took. */
  retries: number
  /** How often it was asked again because a kill cut the request short. */
  repeated?: number
  /** In a recording: there was no answer, and why. `refused`: the endpoint did not take the question. */
  unanswered?: Omit<UnansweredQuestion, 'key'>
}
export interface AnswerStore {
  get(id: string): Promise<KeptAnswer | null>
  /** Stores an answer unless there is one, and gives the one that counts. */
  put(id: string, answer: KeptAnswer): Promise<KeptAnswer>
}

/** An answer as a document: JSON text, which preserves every value. */
export interface StoredAnswer {
  _id: string
  /** When it was given. Absent where a version before stored it. */
  at?: Date
  text: string
}
/** Our part of a database: documents by _id. */
interface AnswerDocuments {
  findOne(filter: { _id: string }): Promise<Pick<StoredAnswer, 'at' | 'text'> | null>
  /** False where there is one of this _id already, which stays as it is. */
  insert(document: StoredAnswer): Promise<boolean>
}

/** A project retains what it has for a day at least, so no answer of this age is about to be removed. */
const retainedMs = 12 * 3_600_000

/**
 * `keep` says that an answer, named by the hash of its question, is about to be used: old ones are removed
 * where a project does not retain them.
 */
export function openAnswers(
  documents: AnswerDocuments,
  now: () => Date,
  keep: (hashes: readonly string[]) => Promise<void>,
): AnswerStore {
  const isOld = (at: Date | undefined) => at === undefined || now().getTime() - at.getTime() > retainedMs
  const get = async (id: string) => {
    let document = await documents.findOne({ _id: id })
    // Answers of a recording are removed with it, and not by their age.
    const [hash] = /^[0-9a-f]{64}/.exec(id) ?? []
    if (document !== null && hash !== undefined && isOld(document.at)) {
      await keep([hash])
      // It may have been removed just before.
      document = await documents.findOne({ _id: id })
    }
    return document === null ? null : (JSON.parse(document.text) as KeptAnswer)
  }
  return {
    get,
    async put(id, answer) {
      if (await documents.insert({ _id: id, at: now(), text: JSON.stringify(answer) })) return answer
      return (await get(id)) ?? answer
    },
  }
}

/** For tests, and for hosts without a database. */
export function createMemoryAnswers(): AnswerStore & { readonly size: number } {
  const answers = new Map<string, KeptAnswer>()
  return {
    get size() {
      return answers.size
    },
    get: async (id) => answers.get(id) ?? null,
    async put(id, answer) {
      const earlierAnswer = answers.get(id)
      if (!earlierAnswer) answers.set(id, answer)
      return earlierAnswer ?? answer
    },
  }
}
