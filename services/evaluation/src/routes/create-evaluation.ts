import { EvaluationOptions, type EvaluationRequest, ProblemError } from '@stateeval/contracts'
import { checker } from '@stateeval/service-kit'
import { checkOptions } from '../check-options.ts'
import type { EvaluationContext, Route } from '../context.ts'
import { beginStage, newStage } from '../engine/complete.ts'
import { isBuiltIn } from '../models.ts'
import type { ModelChoice } from '../owners/owner.ts'
import { evaluationResource, readyBenchmark } from '../resources.ts'

export const createEvaluation: Route<'createEvaluation'> = async ({ body, idempotencyKey }, context) => {
  const { benchmark: id, model: _model, answers: _answers, label: _label, ...given } = body
  const options = checker(EvaluationOptions).complete(structuredClone(given))
  const { manifest, benchmark } = await readyBenchmark(context, id)
  checkOptions(context.benchmark(benchmark), options)
  if (options.prompting === 'reflect' && body.answers !== undefined)
    throw new ProblemError(
      'unprocessable',
      'answers made elsewhere can’t be asked again; choose another prompting than reflect',
      '/prompting',
    )
  const cases = manifest.counts.kept
  const choice = await chosen(context, body)
  context.bus.check()
  const { owner, created } = await context.owners.create({
    id: context.newId('ev', idempotencyKey),
    kind: 'evaluation',
    status: 'running',
    stage: 'probe',
    stages: { probe: newStage(1, 1) },
    createdAt: context.now().toISOString(),
    benchmark: id,
    set: { manifest: manifest.id, benchmark, cases },
    model: choice,
    options,
  })
  if (created) await beginStage(context, owner)
  return { status: 202, body: await evaluationResource(context, owner), headers: { location: `/v1/evaluations/${owner.id}` } }
}

async function chosen(
  context: EvaluationContext,
  { benchmark, model, answers, label = 'answers', samples = 1 }: EvaluationRequest,
): Promise<ModelChoice> {
  if ((model === undefined) === (answers === undefined))
    throw new ProblemError('unprocessable', 'name a model, or send answers: one of the two', '/model')
  if (answers !== undefined) {
    const known = new Set(await context.sets.ids(benchmark))
    const seen = new Set<string>()
    for (const [at, { case: id, sample = 0 }] of answers.entries()) {
      if (!known.has(id)) throw new ProblemError('unprocessable', `the benchmark has no case ${JSON.stringify(id)}`, `/answers/${at}/case`)
      if (sample >= samples)
        throw new ProblemError(
          'unprocessable',
          `sample ${sample} of ${id} is one too many; set samples to ${sample + 1} or more`,
          `/answers/${at}/sample`,
        )
      if (seen.has(`${id}/${sample}`)) throw new ProblemError('unprocessable', `sample ${sample} of ${id} is there twice`, `/answers/${at}`)
      seen.add(`${id}/${sample}`)
    }
    return { kind: 'given', label, answers: await context.artifacts.putJson(answers) }
  }
  const name = model as string
  if (isBuiltIn(name)) return { kind: name }
  const stored = await context.models.get(name)
  if (!stored)
    throw new ProblemError(
      'unprocessable',
      `there is no model ${JSON.stringify(name)}; PUT /v1/models/${name} names one; built in are reference and mutant`,
      '/model',
    )
  return { kind: 'endpoint', name, settings: stored.settings }
}
