/**
 * One part of an API, from the first question to tasks: an answer's samples are held against the
 * specification, those that fail go back with the diagnosis, and when the rounds are over they are rejected
 * with the reason.
 */
import type { DialogueTurn, Message } from '@stateeval/contracts'
import type { WritingTurn, WrittenTask } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'
import type { Api, EndpointTarget } from './api.ts'
import { type CheckedTask, checkTask, type Fault, unsaid } from './check.ts'
import { messagesFor, type Prompts } from './prompt.ts'
import { type Sample, samplesIn } from './samples.ts'

export interface RoundsContext {
  api: Api
  part: readonly EndpointTarget[]
  /** The shown part of the specification. */
  specification: () => string
  instructions: string
  prompts: Prompts
  /** Times that a task may be written. */
  rounds: number
}
/** State that the host keeps. */
export type State = {
  /** The answer, what was said to that, and which endpoints (by index) were asked for again. */
  asked: { answer: string; diagnosis: string; again: number[] }[]
  /** The state of each endpoint, by its place in the part. */
  entries: Entry[]
}
type Entry = {
  dialogue: DialogueTurn[]
  task?: CheckedTask
  faults: Fault[]
}

export const startRounds = ({ part }: RoundsContext): State => ({
  asked: [],
  entries: part.map(() => ({ dialogue: [], faults: [] })),
})

export function askedIn(
  { asked }: State,
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
  return messagesFor(prompts, { ...about, targets: part }, rounds)
}

export function resumeRounds({ asked, entries }: State, answer: string, context: RoundsContext): WritingTurn {
  const { api, part, rounds } = context
  const round = asked.length + 1
  const reading = samplesIn(answer)
  const open = part.filter((_, n) => entries[n]?.task === undefined)
  const { byTarget, stray } =
    'samples' in reading
      ? assigned(reading.samples, open, api)
      : { byTarget: new Map<EndpointTarget, Sample[]>(), stray: [] }
  const next = entries.map((entry, n): Entry => {
    const target = part[n]!
    if (entry.task) return entry
    return 'says' in reading
      ? failed(entry, round, answer.trim().slice(0, 4000), [{ kind: 'no JSON', says: reading.says }])
      : judged(entry, round, byTarget.get(target) ?? [], target, api)
  })
  const again = part.filter((_, n) => next[n]?.task === undefined)
  if (again.length === 0 || round >= rounds)
    return { done: part.map((target, n) => ended(next[n]!, target, api)) }
  const lines = again.map(
    (target) => `- ${target.name}: ${next[part.indexOf(target)]!.faults.map(({ says }) => says).join('; ')}`,
  )
  const diagnosis = 'says' in reading ? reading.says : [...lines, ...stray].join('\n')
  const state: State = {
    asked: [...asked, { answer, diagnosis, again: again.map(({ index }) => index) }],
    entries: next,
  }
  return { state }
}

type Failing = Omit<Fault, 'kind'> & { kind: Fault['kind'] | 'no JSON' | 'no task' }

/** More samples for one endpoint are not looked at: one is asked for. */
const maxSamples = 20

/** Samples by the endpoint that they say they are for, else by that which their request is for. */
function assigned(
  samples: readonly Sample[],
  open: readonly EndpointTarget[],
  api: Api,
): { byTarget: Map<EndpointTarget, Sample[]>; stray: string[] } {
  const byTarget = new Map<EndpointTarget, Sample[]>()
  const stray: string[] = []
  for (const [n, sample] of samples.entries()) {
    const endpointName = sample.endpoint?.trim().replace(/\s+/g, ' ')
    const target =
      open.find(({ name }) => name === endpointName) ?? open.find(({ name }) => name === called(sample, api))
    if (target) {
      const earlier = byTarget.get(target)
      if (earlier === undefined) byTarget.set(target, [sample])
      else if (earlier.length < maxSamples) earlier.push(sample)
    } else
      stray.push(
        `- sample ${n + 1} is for an endpoint that was not requested: ${(called(sample, api) ?? sample.endpoint ?? 'none').slice(0, 200)}`,
      )
  }
  return { byTarget, stray }
}
function called({ config }: Sample, { endpoints }: Api): string | undefined {
  const { url, method } = (config ?? {}) as { url?: unknown; method?: unknown }
  if (typeof url !== 'string' || typeof method !== 'string') return undefined
  const match = endpoints.sound(url, method)
  return match ? `${method.toUpperCase()} ${match.endpoint.template}` : undefined
}

/** Judges, of several samples, the first that is right, else the first. */
function judged(
  entry: Entry,
  round: number,
  samples: readonly Sample[],
  target: EndpointTarget,
  api: Api,
): Entry {
  const all = samples.map((sample) => ({
    sample,
    outcome: checkTask(sample.task, sample.config, target, api),
  }))
  const [first] = all
  if (!first)
    return failed(entry, round, '(nothing)', [{ kind: 'no task', says: 'there is no sample for it' }])
  const best = all.find(({ outcome }) => 'task' in outcome) ?? first
  const text = JSON.stringify({ task: best.sample.task, config: best.sample.config }, null, 2) ?? ''
  if ('faults' in best.outcome) return failed(entry, round, text, best.outcome.faults)
  const { task } = best.outcome
  const hints = unsaid(task, api)
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
const failed = (entry: Entry, round: number, text: string, faults: readonly Failing[]): Entry => ({
  faults: faults as Fault[],
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

function ended({ task, faults, dialogue }: Entry, target: EndpointTarget, api: Api): WrittenTask {
  const { index } = target
  if (task) return { status: 'written', index, dialogue, case: caseOf(task, target, api) }
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

export const nameOf = ({ place }: EndpointTarget, id: string) => `${id}-${place}`
export const caseOf = (
  { instruction, config }: CheckedTask,
  target: EndpointTarget,
  { id, title, artifact }: Api,
): WapiiCase => ({
  id: nameOf(target, id),
  kind: 'wapiibench',
  group: id,
  instruction,
  task: { api: id, title, index: target.place, config },
  artifacts: [artifact.hash],
})
