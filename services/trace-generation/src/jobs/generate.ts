/**
 * Generates the programs of a generation in order, and stores them along the way. A restart produces the
 * same bytes.
 */
import { GenerateJob, type GenerateResult, subjects } from '@stateeval/contracts'
import { accepts, type JobDefinition, JobRefusal } from '@stateeval/service-kit'
import type { TraceContext } from '../context.ts'
import {
  completeGenerationOptions,
  buildGeneration,
  requireScenario,
  requireScenarioWithOptions,
} from '../generations.ts'
import { produceGeneration } from '../produce.ts'
import type { StoredGeneration } from '../store.ts'

export const generateJob: JobDefinition<TraceContext, GenerateJob, GenerateResult> = {
  takes: subjects.generate,
  // Generation is computing without waiting: more than two at a time only slow each other down.
  concurrency: 2,
  timeoutMs: 60 * 60_000,
  validate: accepts(GenerateJob),
  cancelled: (payload, id, { store, newId }) => store.isCancelled(loadGeneration(payload, id, newId)),
  async handle(payload, context, { id, signal }) {
    const generation =
      'options' in payload
        ? await createOwnGeneration(payload.options, id, context)
        : await context.store.find(payload.generation)
    if (!generation)
      throw new JobRefusal(`there is no generation ${'generation' in payload ? payload.generation : id}`)
    const scenario = await requireScenarioWithOptions(context, generation.options)
    return produceGeneration(generation, scenario, context, signal, 'options' in payload)
  },
  async ended(payload, { reason }, id, { store, newId, now }) {
    const generation = loadGeneration(payload as GenerateJob | null, id, newId)
    const done = (await store.find(generation))?.progress.done ?? 0
    await store.end(generation, { status: 'failed', done, error: reason, finishedAt: now() })
  },
}

/** The resource of a job: the one that it names, else one whose id is made from the job's. */
const loadGeneration = (payload: GenerateJob | null, job: string, newId: TraceContext['newId']) =>
  payload && 'generation' in payload ? payload.generation : newId('gen', job)

/**
 * A generation that a job brings along becomes a resource like any other, under an id made from the job's.
 */
async function createOwnGeneration(
  request: Extract<GenerateJob, { options: unknown }>['options'],
  job: string,
  context: TraceContext,
): Promise<StoredGeneration> {
  const { store, newId, now } = context
  const scenario = await requireScenario(context, request.scenario, '/scenario')
  const options = completeGenerationOptions(request, scenario, context)
  return store.create({ ...buildGeneration(newId('gen', job), options, scenario, now()), ofJob: true })
}
