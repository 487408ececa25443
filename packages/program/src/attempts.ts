/** A candidate that wrote programs, attempt by attempt, for scorers of code. */
import type { Candidate, Observation, Transcript } from '@stateeval/contracts'

export interface ProgramAttempt {
  /** The whole answer. */
  answer: string
  /** The code that was found in it; null where there was none. */
  code: string | null
  /** Why no code was found, or why it did not run. */
  none?: string
  /** One per input, in order; null where nothing ran. */
  observations: readonly Observation[] | null
}

/**
 * The attempts, oldest first, as one policy reads them; `null` if the benchmark has one reading. Empty for
 * a dialogue.
 */
export function listAttempts(
  { said, transcripts, runs }: Pick<Candidate, 'said' | 'transcripts' | 'runs'>,
  policy: string | null = null,
): ProgramAttempt[] {
  if (said.kind === 'dialogue') return []
  return said.attempts.map(({ message, readings }) => {
    const reading = readings.find((one) => one.policy === policy)
    const run = reading?.run ?? null
    return {
      answer: transcripts[0]?.messages[message]?.content ?? '',
      code: reading?.code ?? null,
      ...(reading?.none !== undefined && { none: reading.none }),
      observations: run === null ? null : (runs[run]?.observations ?? null),
    }
  })
}

/** The position of the newest message of a transcript. */
export const findNewestMessage = (transcripts: readonly Transcript[], transcript = 0): number =>
  (transcripts[transcript]?.messages.length ?? 0) - 1

/** The candidate of one answer with one reading: the result of an episode with one question and one run. */
export function buildProgramCandidate({
  answer = '',
  code,
  none,
  observations = [],
}: {
  answer?: string
  code: string | null
  none?: string
  /** Without any, nothing ran. */
  observations?: readonly Observation[]
}): Candidate {
  const ran = code !== null && observations.length > 0
  const reading = {
    policy: null,
    ...(code !== null && { code }),
    ...(none !== undefined && { none }),
    run: ran ? 0 : null,
  }
  return {
    said: { kind: 'program', attempts: [{ message: 0, readings: [reading] }] },
    transcripts: [{ role: 'model', messages: [{ role: 'assistant', content: answer }] }],
    runs: ran ? [{ observations: [...observations], runtime: '' }] : [],
    consultations: [],
  }
}
