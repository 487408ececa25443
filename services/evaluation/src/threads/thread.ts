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
import type { ConformanceRequest } from '@stateeval/contracts'
import { createCatalog, requireValue } from '../catalog.ts'
import { findArtifactFault as faultOf } from '../projects/documents/artifact-forms.ts'
import type { ArtifactTask } from '../projects/documents/artifacts.ts'
import { createSourceCache } from './opened-sources.ts'
import type { SourceOpening, QuestionTask, SourceCall, StepTask } from '@stateeval/jobs'

/** Artifacts of the present step's case. */
let artifacts: ReadonlyMap<string, Uint8Array> = new Map()

const { benchmark, scenario } = createCatalog((hash) => requireValue(artifacts.get(hash), 'artifact', hash))

export function sample({ state, answer, context: about, entries = [] }: StepTask<'sample'>) {
  artifacts = about.artifacts ?? new Map()
  const context = { ...about, benchmark: benchmark(about.benchmark) }
  return answer === null
    ? sampleFlow.start(context)
    : sampleFlow.resume(state as SampleState, answer, context, entries)
}

export function program({ state, answer, context }: StepTask<'program'>) {
  artifacts = new Map(Object.entries(context.artifacts))
  return programFlow.resume(state as ProgramState, answer!, {
    ...context,
    build: benchmark(context.benchmark).building!.build!,
    scenario: scenario(context.scenario),
  })
}

export const opinion = ({ state, answer, context: { benchmark: id, ...context } }: StepTask<'opinion'>) =>
  opinionFlow.resume(state as OpinionState, answer!, {
    ...context,
    read: benchmark(id).reporting!.opinions!.read,
  })

export const question = ({ benchmark: id, prompt, failure }: QuestionTask) =>
  benchmark(id).reporting!.opinions!.ask(prompt, failure)

export const findThreadArtifactFault = ({ form, bytes }: ArtifactTask) => faultOf(form, bytes)

export const writing = ({ state, answer, context: { opening, ...plain } }: StepTask<'writing'>) => {
  const context = { ...plain, taskSource: taskSourceOf(opening) }
  return answer === null
    ? writingFlow.start(context)
    : writingFlow.resume(state as WritingState, answer, context)
}
export const writingNeed = ({
  state,
  context: { opening, ...plain },
}: Pick<StepTask<'writing'>, 'state' | 'context'>) =>
  writingFlow.need(state as WritingState, { ...plain, taskSource: taskSourceOf(opening) })

/** Facts about a source without asking it again; with its artifacts once, when it is stored. */
export function openSource({ opening, isNew }: { opening: SourceOpening; isNew: boolean }) {
  const { targets, parts, artifacts: files } = taskSourceOf(opening)
  return { targets, parts, ...(isNew && { artifacts: copyFiles(files) }) }
}
export function callSource({ opening, method, args }: SourceCall) {
  const source = taskSourceOf(opening)
  if (method === 'show') return source.show(...args)
  if (method === 'check') return source.check(...args)
  if (method === 'plan') return source.plan?.() ?? null
  const made = source.set(...args)
  return { ...made, artifacts: copyFiles(made.artifacts) }
}

export const checkConformance = ({ kind, specification, server, observations }: ConformanceRequest) =>
  benchmark(kind).building!.writing!.conformance!(
    specification,
    { ...(server !== undefined && { server }) },
    observations,
  )

/** The source keeps its bytes, and what leaves the thread moves. */
const copyFiles = (files: Readonly<Record<string, Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([hash, bytes]) => [hash, Uint8Array.from(bytes)]))

const taskSourceOf = createSourceCache(({ benchmark: id, specification, options, prompts }) =>
  benchmark(id).building!.writing!.open(Buffer.from(specification).toString(), options, prompts),
)
