/** The thread of apart.ts: the same flows and benchmarks, without the rest of the service. */
import {
  opinionFlow,
  type OpinionState,
  programFlow,
  type ProgramState,
  sampleFlow,
  type SampleState,
  writingFlow,
  type WritingState,
} from '@stateeval/flows'
import type { TaskSource } from '@stateeval/program'
import { catalogWith, needed } from '../catalog.ts'
import { artifactFault as faultOf } from '../projects/documents/artifact-forms.ts'
import type { ArtifactTask } from '../projects/documents/artifacts.ts'
import type { Crossing, QuestionTask, StepTask } from './apart.ts'

/** What the case of the present step needs. */
let artifacts: ReadonlyMap<string, Uint8Array> = new Map()

const { benchmark, scenario } = catalogWith((hash) => needed(artifacts.get(hash), 'artifact', hash))

export function sample({ state, answer, context: about, entries = [] }: StepTask<'sample'>) {
  artifacts = about.artifacts ?? new Map()
  const context = { ...about, benchmark: benchmark(about.benchmark) }
  return answer === null
    ? sampleFlow.start(context)
    : sampleFlow.resume(state as SampleState, answer, context, entries)
}

export const program = ({ state, answer, context }: StepTask<'program'>) =>
  programFlow.resume(state as ProgramState, answer!, {
    ...context,
    build: benchmark(context.benchmark).build!,
    scenario: scenario(context.scenario),
  })

export const opinion = ({ state, answer, context: { benchmark: id, ...context } }: StepTask<'opinion'>) =>
  opinionFlow.resume(state as OpinionState, answer!, { ...context, read: benchmark(id).opinions!.read })

export const question = ({ benchmark: id, prompt, failure }: QuestionTask) =>
  benchmark(id).opinions!.ask(prompt, failure)

export const artifactFault = ({ form, bytes }: ArtifactTask) => faultOf(form, bytes)

export const writing = ({
  state,
  answer,
  context: { opening, benchmark: id, ...context },
}: StepTask<'writing'>) =>
  writingFlow.resume(state as WritingState, answer!, { ...context, taskSource: taskSourceOf(id, opening) })

/** The task source of the last step: a build writes many parts of one. */
let last: { key: string; taskSource: TaskSource } | undefined
function taskSourceOf(id: string, opening: Crossing['writing']['opening']): TaskSource {
  const key = JSON.stringify([id, opening])
  if (last?.key !== key) {
    const { specification, options, prompts } = opening
    last = { key, taskSource: benchmark(id).writing!.open(specification, options, prompts) }
  }
  return last.taskSource
}
