/** The programs of a build, as its generations gave them. */
import type { BuildOptions, Program } from '@stateeval/contracts'
import { type Artifacts, artifactsIn } from '@stateeval/program'
import { itemId } from '@stateeval/workflow'
import type { EvaluationContext } from '../context.ts'
import type { GenerationOutcome } from '../flows/generation-flow.ts'
import type { BenchmarkOwner } from './owner.ts'

export const scenariosOf = (
  { scenarios }: Pick<EvaluationContext, 'scenarios'>,
  { scenario }: Pick<BuildOptions, 'scenario'>,
) => scenarios.filter(({ id }) => scenario === 'all' || scenario === id)

/** What a generation gave; kept in memory, as every program of the stage is taken from it. */
export const generated = (context: EvaluationContext, owner: BenchmarkOwner, at: number) =>
  context.cache(`generated/${owner.id}/${at}`, async () => {
    const ended = await context.results.get(itemId({ workflow: owner.id, stage: 'generate', index: at }))
    if (!ended) throw new Error(`${owner.id} has no programs of scenario ${at}`)
    const outcome = (await context.artifacts.unpack(ended.payload)) as GenerationOutcome
    if (!outcome.ok) throw new Error(outcome.reason)
    return outcome.result
  })

/** What a program's values name. They were stored before the program was given, so a missing one is a fault of the store. */
export async function artifactsOf(context: EvaluationContext, program: Program): Promise<Artifacts> {
  const load = (hash: string) =>
    context.cache(`artifact/${hash}`, async () => {
      const bytes = await context.artifacts.get(hash)
      if (!bytes) throw new Error(`the artifact ${hash} of program ${program.id} is missing`)
      return bytes
    })
  return Object.fromEntries(
    await Promise.all(artifactsIn(program).map(async (hash) => [hash, await load(hash)] as const)),
  )
}
