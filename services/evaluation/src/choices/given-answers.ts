/** Answers made elsewhere, as they are stored. */
import { type GivenAnswer, ProblemError } from '@stateeval/contracts'

export interface PackedAnswers {
  /** The case of each answer. */
  cases: string[]
  /** All of them, as JSON. */
  bytes: Uint8Array
}

/** Throws a problem that names an answer which has no place among the samples. */
export function packAnswers(answers: readonly GivenAnswer[], samples = 1): PackedAnswers {
  const keys = new Set<string>()
  for (const [at, { case: id, sample = 0 }] of answers.entries()) {
    if (sample >= samples)
      throw new ProblemError(
        'unprocessable',
        `sample ${sample} of ${id} is beyond the limit; set samples to ${sample + 1} or more`,
        `/answers/${at}/sample`,
      )
    if (keys.has(`${id}/${sample}`))
      throw new ProblemError('unprocessable', `sample ${sample} of ${id} occurs twice`, `/answers/${at}`)
    keys.add(`${id}/${sample}`)
  }
  return {
    cases: answers.map((one) => one.case),
    // Copied, as its memory moves out of a thread.
    bytes: Uint8Array.from(Buffer.from(JSON.stringify(answers))),
  }
}
