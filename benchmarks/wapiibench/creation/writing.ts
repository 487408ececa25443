/** Dataset creation for any OpenAPI 3.0 or 3.1 specification (WAPIIBench, section II-A, Listing 4). */
import { type FilterCount, type TaskCase } from '@stateeval/contracts'
import type { DatasetSet, TaskEnd, TaskSource, PromptWriting, WritingOptions } from '@stateeval/program'
import { formatWapiiCase, type WapiiCase } from '../case.ts'
import { formatTasksReadme } from '../dataset/readme.ts'
import { callText } from '../emit/styles.ts'
import { version } from '../version.ts'
import { conformance } from '../conformance.ts'
import { type SpecifiedApi, openApi, type EndpointTarget } from './api.ts'
import { checkTask } from './check.ts'
import { buildPlan } from './plan.ts'
import { prompts, type PromptTexts } from './prompt.ts'
import {
  buildAskedMessages,
  buildWapiiCase,
  formatTaskName,
  resumeRounds,
  type RoundsContext,
  startRounds,
  type WritingState,
} from './rounds.ts'
import { splitParts, getShownPart } from './subset.ts'

export const writing: PromptWriting = {
  prompts,
  questions: [
    {
      id: 'solvable',
      asks: 'Is the task well-formulated, and can it be solved with one request to this API?',
    },
    { id: 'solves', asks: 'Does the configuration solve the task?' },
    {
      id: 'arguments',
      asks: 'Is every argument of the task in the configuration, and every argument of the configuration in the task?',
    },
  ],
  solution: {
    name: 'a request configuration',
    unproved: 'its own request is not judged correct',
    language: 'javascript',
  },
  open,
  conformance,
}

function open(text: string, options: WritingOptions, texts: PromptTexts): TaskSource {
  const api = openApi(text, options)
  const { parts, tooLong } = splitParts(api, options)
  const contextOf = (part: number): RoundsContext => {
    const targets = parts[part]
    if (!targets) throw new Error(`the API has no part ${part}`)
    const { rounds, instructions = '' } = options
    return {
      api,
      part: targets,
      specification: () => getShownPart(api, targets, options),
      instructions,
      prompts: texts,
      rounds,
    }
  }
  return {
    targets: api.targets.map((target) => {
      const skipped =
        target.skipped ??
        (tooLong.includes(target) ? 'its part of the specification is too long for a prompt' : undefined)
      return {
        name: target.name,
        case: formatTaskName(target, api.id),
        ...(skipped !== undefined && { skipped }),
        ...(target.detail !== undefined && { detail: target.detail }),
      }
    }),
    plan: () => buildPlan(api, parts, { longest: options.longest, texts }),
    parts: parts.map((part) => part.map(({ index }) => index)),
    artifacts: { [api.artifact.hash]: api.artifact.bytes },
    start: (part) => startRounds(contextOf(part)),
    ask: (part, state: WritingState) => buildAskedMessages(state, contextOf(part)),
    resume: (part, state: WritingState, answer) => resumeRounds(state, answer, contextOf(part)),
    check(index, { instruction, task }) {
      const target = api.targets[index] as EndpointTarget
      const outcome = checkTask(instruction, task, target, api)
      return 'faults' in outcome
        ? { fault: outcome.faults.map(({ says }) => says).join('; ') }
        : { case: buildWapiiCase(outcome.task, target, api) }
    },
    show: (c) => ({
      code: callText((c as WapiiCase).task.config),
      task: (c as WapiiCase).task.config,
    }),
    set: (ends, about) => buildSet(api, ends, about),
  }
}

/** The set, in the form of an imported one. */
function buildSet(
  api: SpecifiedApi,
  ends: readonly TaskEnd[],
  { seed, options, versions }: Parameters<TaskSource['set']>[1],
): DatasetSet {
  const cases = ends.flatMap((end) => (end.status === 'kept' ? [end.case as TaskCase & WapiiCase] : []))
  const drops = ends.flatMap((end) => (end.status === 'dropped' ? [end] : []))
  // Tasks that cannot be asked for were never written.
  const generated = ends.length - drops.filter(({ phase }) => phase === 'specification').length
  const about: DatasetSet['about'] = {
    seed,
    options: { ...options, sources: { [`specs/${api.id}`]: api.source } },
    versions: { 'benchmark wapiibench': version, ...versions },
    counts: {
      generated,
      passed: cases.length,
      kept: cases.length,
      filteredShare: divideRounded(generated - cases.length, generated),
    },
    filtered: countDrops(api.id, drops),
    statistics: [{ scenario: api.id, cases: cases.length, apis: cases.length, branches: 0, metrics: {} }],
  }
  const source = `written by a model for the endpoints of ${api.title} and checked against its specification`
  return {
    lines: cases.map(formatWapiiCase),
    artifacts: { [api.artifact.hash]: api.artifact.bytes },
    about,
    readme: formatTasksReadme(about, cases, source),
    warnings: [],
  }
}

const divideRounded = (part: number, of: number) => (of > 0 ? Math.round((part / of) * 1e6) / 1e6 : 0)

function countDrops(scenario: string, drops: readonly { phase: string; reason: string }[]): FilterCount[] {
  const counts = new Map<string, FilterCount>()
  for (const { phase, reason } of drops) {
    const key = `${phase}/${reason}`
    counts.set(key, { scenario, phase, reason, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}
