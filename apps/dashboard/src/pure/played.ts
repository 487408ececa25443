/** A sample by inputs: what was observed on each, and what the reference left there. */
import type { Observation, PairedRun, SampleDetail } from '@stateeval/contracts'

export interface PlayedInput {
  /** Counted from 0. */
  input: number
  /** Absent if a dialogue ended before its world was observed. */
  observation?: Observation | undefined
  oracle?: Observation | undefined
  pairs?: PairedRun | null | undefined
  /** For a dialogue: the place of its transcript. */
  transcript?: number
}

/** A program has one run over all inputs: `run`. In a dialogue, each input has its own run. */
export function listPlayedInputs(
  { candidate, expected, paired }: Pick<SampleDetail, 'candidate' | 'expected' | 'paired'>,
  run: number | null | undefined,
): PlayedInput[] {
  if (!candidate) return []
  const { said, runs, transcripts } = candidate
  if (said.kind === 'dialogue')
    return said.inputs.map(({ transcript, run: own }, n) => {
      const input = transcripts[transcript]?.input ?? n
      return {
        input,
        transcript,
        observation: own === null ? undefined : runs[own]?.observations[0],
        oracle: expected?.[input],
        pairs: own === null ? undefined : paired?.[own]?.[0],
      }
    })
  if (run === null || run === undefined) return []
  return (runs[run]?.observations ?? []).map((observation, input) => ({
    input,
    observation,
    oracle: expected?.[input],
    pairs: paired?.[run]?.[input],
  }))
}
