/**
 * One part of an API, from the first question to tasks: an answer's samples are held against the
 * specification, those that fail go back with the diagnosis, and when the rounds are over they are rejected
 * with the reason.
 */
import type { DialogueTurn, Message } from '@stateeval/contracts'
import type { WritingTurn, WrittenTask } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'
import type { SpecifiedApi, EndpointTarget } from './api.ts'
import { type CheckedTask, checkTask, type TaskFault, listUnsaid } from './check.ts'
import { buildWritingMessages, type PromptTexts } from './prompt.ts'
import { type AnsweredSample, readSamples } from './samples.ts'

export interface RoundsContext {
  api: SpecifiedApi
  part: readonly EndpointTarget[]
  /** The shown part of the specification. */
  specification: () => string
  instructions: string
  prompts: PromptTexts
  /** Times that a task may be written. */
  rounds: number
}
/** State that the host keeps. */
export type WritingState = {
  /** The answer, the diagnosis of it, and the endpoints (by index) that were asked for again. */
  asked: { answer: string; diagnosis: string; again: number[] }[]
  /** The state of each endpoint, by its place in the part. */
  entries: WritingEntry[]
}
type WritingEntry = {
  dialogue: DialogueTurn[]
  task?: CheckedTask
  faults: TaskFault[]
}

export const startRounds = ({ part }: RoundsContext): WritingState => ({
  asked: [],
  entries: part.map(() => ({ dialogue: [], faults: [] })),
})

export function buildAskedMessages(
  { asked }: WritingState,
  { api, part, prompts, specification, instructions }: RoundsContext,
): Message[] {
  const about = {
    api: api.title,
    server: api.endpoints.specification.server,
    specification: specification(),
    instructions,
  }
  const rounds = asked.map(({ again, ...one }) => ({
    ...one,
    targets: part.filter(({ index }) => again.includes(index)),
  }))
  return buildWritingMessages(prompts, { ...about, targets: part }, rounds)
}

export function resumeRounds(
  { asked, entries }: WritingState,
  answer: string,
  context: RoundsContext,
): WritingTurn {
  const { api, part, rounds } = context
  const round = asked.length + 1
  const reading = readSamples(answer)
  const open = part.filter((_, n) => entries[n]?.task === undefined)
  const { byTarget, stray } =
    'samples' in reading
      ? assignSamples(reading.samples, open, api)
      : { byTarget: new Map<EndpointTarget, AnsweredSample[]>(), stray: [] }
  const next = entries.map((entry, n): WritingEntry => {
    const target = part[n]!
    if (entry.task) return entry
    return 'says' in reading
      ? failEntry(entry, round, answer.trim().slice(0, 4000), [{ kind: 'no JSON', says: reading.says }])
      : judgeSamples(entry, round, byTarget.get(target) ?? [], target, api)
  })
  const again = part.filter((_, n) => next[n]?.task === undefined)
  if (again.length === 0 || round >= rounds)
    return { done: part.map((target, n) => endEntry(next[n]!, target, api)) }
  const lines = again.map(
    (target) => `- ${target.name}: ${next[part.indexOf(target)]!.faults.map(({ says }) => says).join('; ')}`,
  )
  const diagnosis = 'says' in reading ? reading.says : [...lines, ...stray].join('\n')
  const state: WritingState = {
    asked: [...asked, { answer, diagnosis, again: again.map(({ index }) => index) }],
    entries: next,
  }
  return { state }
}

type FailingFault = Omit<TaskFault, 'kind'> & { kind: TaskFault['kind'] | 'no JSON' | 'no task' }

/** More samples for one endpoint are not looked at: one is asked for. */
const maxSamples = 20

/** Samples by the endpoint that they say they are for, else by that which their request is for. */
function assignSamples(
  samples: readonly AnsweredSample[],
  open: readonly EndpointTarget[],
  api: SpecifiedApi,
): { byTarget: Map<EndpointTarget, AnsweredSample[]>; stray: string[] } {
  const byTarget = new Map<EndpointTarget, AnsweredSample[]>()
  const stray: string[] = []
  for (const [n, sample] of samples.entries()) {
    const endpointName = sample.endpoint?.trim().replace(/\s+/g, ' ')
    const target =
      open.find(({ name }) => name === endpointName) ??
      open.find(({ name }) => name === findCalledEndpoint(sample, api))
    if (target) {
      const earlier = byTarget.get(target)
      if (earlier === undefined) byTarget.set(target, [sample])
      else if (earlier.length < maxSamples) earlier.push(sample)
    } else
      stray.push(
        `- sample ${n + 1} is for an endpoint that was not requested: ${(findCalledEndpoint(sample, api) ?? sample.endpoint ?? 'none').slice(0, 200)}`,
      )
  }
  return { byTarget, stray }
}
function findCalledEndpoint({ config }: AnsweredSample, { endpoints }: SpecifiedApi): string | undefined {
  const { url, method } = (config ?? {}) as { url?: unknown; method?: unknown }
  if (typeof url !== 'string' || typeof method !== 'string') return undefined
  const match = endpoints.sound(url, method)
  return match ? `${method.toUpperCase()} ${match.endpoint.template}` : undefined
}

/** Judges several samples: takes the first that is right, or else the first. */
function judgeSamples(
  entry: WritingEntry,
  round: number,
  samples: readonly AnsweredSample[],
  target: EndpointTarget,
  api: SpecifiedApi,
): WritingEntry {
  const all = samples.map((sample) => ({
    sample,
    outcome: checkTask(sample.task, sample.config, target, api),
  }))
  const [first] = all
  if (!first)
    return failEntry(entry, round, '(nothing)', [{ kind: 'no task', says: 'there is no sample for it' }])
  const best = all.find(({ outcome }) => 'task' in outcome) ?? first
  const text = JSON.stringify({ task: best.sample.task, config: best.sample.config }, null, 2) ?? ''
  if ('faults' in best.outcome) return failEntry(entry, round, text, best.outcome.faults)
  const { task } = best.outcome
  const hints = listUnsaid(task, api)
  const check =
    hints.length > 0
      ? `it fits the specification; not said word for word in the task: ${hints.join(', ').slice(0, 1000)}`
      : 'it fits the specification'
  return {
    task,
    faults: [],
    dialogue: [
      ...entry.dialogue,
      { by: 'generator', round, says: text },
      { by: 'check', round, says: check },
    ],
  }
}
const failEntry = (
  entry: WritingEntry,
  round: number,
  text: string,
  faults: readonly FailingFault[],
): WritingEntry => ({
  faults: faults as TaskFault[],
  dialogue: [
    ...entry.dialogue,
    { by: 'generator', round, says: text.slice(0, 20_000) },
    {
      by: 'check',
      round,
      says: faults
        .map(({ says }) => says)
        .join('\n')
        .slice(0, 4000),
    },
  ],
})

function endEntry(
  { task, faults, dialogue }: WritingEntry,
  target: EndpointTarget,
  api: SpecifiedApi,
): WrittenTask {
  const { index } = target
  if (task) return { status: 'written', index, dialogue, case: buildWapiiCase(task, target, api) }
  const [first] = faults
  return {
    status: 'rejected',
    index,
    dialogue,
    reason: first?.kind ?? 'no task',
    detail: faults
      .map(({ says }) => says)
      .join('; ')
      .slice(0, 1000),
  }
}

export const formatTaskName = ({ place }: EndpointTarget, id: string) => `${id}-${place}`
export const buildWapiiCase = (
  { instruction, config }: CheckedTask,
  target: EndpointTarget,
  { id, title, artifact }: SpecifiedApi,
): WapiiCase => ({
  id: formatTaskName(target, id),
  kind: 'wapiibench',
  group: id,
  instruction,
  task: { api: id, title, index: target.place, config },
  artifacts: [artifact.hash],
})
