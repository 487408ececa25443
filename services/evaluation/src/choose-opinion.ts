/** Who gives second opinions in an evaluation, from the request. */
import { type EvaluationRequest, type ModelSettings, ProblemError } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import type { Artifacts } from '@stateeval/service-kit'
import { checkBudget, existingSettings } from './choose-model.ts'
import { type KnownModels } from './models.ts'
import type { Opinion } from './owners/owner.ts'
import { existingRecording, isRecording, type Recordings } from './recordings.ts'

interface Opinions extends KnownModels, Recordings {
  artifacts: Artifacts
  /** The texts that second opinions are asked with, by kind of benchmark. */
  opinionPrompts: Readonly<Record<string, string>>
}

/** null where none are asked for. A recording that holds opinions repeats them, unless the request names somebody else. */
export async function chooseOpinion(
  context: Opinions,
  request: EvaluationRequest,
  benchmark: Benchmark,
): Promise<Opinion | null> {
  const recorded =
    request.recording === undefined ? undefined : (await context.recordings.get(request.recording))?.opinion
  const name = request.secondOpinion ?? recorded?.name
  if (name === undefined) return null
  if (!benchmark.opinions)
    throw new ProblemError(
      'unprocessable',
      `${benchmark.id} tells no root causes, so there is nothing to have a second opinion about; leave secondOpinion out`,
      '/secondOpinion',
    )
  return {
    by: await choiceOf(context, request, name, recorded),
    prompt: await context.artifacts.putJson(context.opinionPrompts[benchmark.id]),
  }
}

async function choiceOf(
  context: Opinions,
  { recording, fresh, budget }: EvaluationRequest,
  name: string,
  recorded: { name: string; settings: ModelSettings } | undefined,
): Promise<Opinion['by']> {
  if (recorded?.name === name)
    return { kind: 'endpoint', ...recorded, ...(recording !== undefined && { recording }) }
  if (isRecording(name)) {
    const stored = await existingRecording(context, name, '/secondOpinion')
    const { name: of, settings } = stored.opinion ?? stored
    return { kind: 'endpoint', name: of, settings, recording: name }
  }
  // Whether it can be asked is seen when it is: nothing else depends on that.
  const settings = await existingSettings(context, name, '/secondOpinion')
  checkBudget(budget, settings)
  return { kind: 'endpoint', name, settings, ...(fresh && { fresh }) }
}
