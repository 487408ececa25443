/**
 * One case as a conversation of one answer: ask, read it as each policy does, execute what has to run, done.
 */
import {
  type EpisodeEvent,
  type EpisodeOptions,
  type ExecutionLimits,
  type AnswerReading,
  type EpisodeStatement,
  maxProgramBytes,
  type Transcript,
  type EpisodeTransition,
} from '@stateeval/contracts'
import { type Episode, findNewestMessage } from '@stateeval/program'
import type { PublishedCase } from './case.ts'
import { buildPromptMessages } from './prompt/prompt.ts'
import { read } from './readings.ts'
import { buildHarnessInput, worlds } from './run/harness.ts'

/**
 * While programs run: which reading needs which, and the places of the runs that have ended. What runs is
 * read again from the answer: two copies of a long program are too much for a state.
 */
type EpisodeRunState = null | { message: number; runs: number[] }

/** RESULT may be a tensor of a million elements, as far as the results of all inputs may be together. */
function deriveTensorLimits(inputs: number): Partial<ExecutionLimits> {
  const outputKiB = 64
  const room = Math.floor(maxProgramBytes / 1024 / Math.max(1, inputs)) - outputKiB
  return { outputKiB, resultKiB: Math.min(8 * 1024, room), memoryMiB: 1024 }
}

export const episode: Episode<PublishedCase> = { start: (c) => ask(c), resume }

const ask = (c: PublishedCase): EpisodeTransition => ({
  state: null,
  need: { kind: 'reply', role: 'model', transcript: 0, append: buildPromptMessages(c) },
})

function resume(
  c: PublishedCase,
  options: EpisodeOptions,
  state: EpisodeRunState,
  event: EpisodeEvent,
  transcripts: readonly Transcript[],
): EpisodeTransition {
  if (event.kind === 'unavailable') {
    const { reason, detail } = event
    return { done: { kind: 'program', attempts: [] }, notScored: { reason, detail } }
  }
  if (state === null && event.kind === 'replied')
    return runNextProgram(c, options, { message: findNewestMessage(transcripts), runs: [] }, transcripts)
  if (state !== null && event.kind === 'executed')
    return runNextProgram(c, options, { ...state, runs: [...state.runs, event.run] }, transcripts)
  throw new TypeError(
    `an episode that waits for ${state === null ? 'an answer' : 'a run'} cannot continue with ${event.kind}`,
  )
}

function runNextProgram(
  c: PublishedCase,
  { inputs, only }: EpisodeOptions,
  state: NonNullable<EpisodeRunState>,
  transcripts: readonly Transcript[],
): EpisodeTransition {
  const { message, runs } = state
  const { scenario, tests } = c.task
  const { readings, programs } = read(transcripts[0]?.messages[message]?.content ?? '', scenario)
  const code = programs[runs.length]
  if (code === undefined) return { done: createProgramStatement(message, readings, runs) }
  const all = inputs ?? tests.map(buildHarnessInput)
  const selected = only ? all.filter((_, at) => only.includes(at)) : [...all]
  return {
    state,
    need: {
      kind: 'execute',
      request: {
        kind: 'code',
        language: 'python',
        code,
        world: worlds[scenario],
        inputs: selected,
        ...(scenario === 'tensor' && { limits: deriveTensorLimits(selected.length) }),
      },
    },
  }
}

const createProgramStatement = (
  message: number,
  readings: AnswerReading[],
  runs: readonly number[],
): EpisodeStatement => ({
  kind: 'program',
  attempts: [
    {
      message,
      readings: readings.map((one) => ({ ...one, run: one.run === null ? null : (runs[one.run] ?? null) })),
    },
  ],
})
