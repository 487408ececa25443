/** The programs of a build, as its generations gave them. */
import type { BuildOptions, Program } from '@stateeval/contracts'
import { type Artifacts, artifactsIn, type Scenario } from '@stateeval/program'
import type { Artifacts as ArtifactStore } from '@stateeval/service-kit'
import type { GenerationOutcome } from '../flows/generation-flow.ts'
import type { Cached } from '../memory.ts'
import type { BuildOwner } from './owner.ts'
import { type ItemEnds, outcomeAt } from './stage.ts'

export const scenariosOf = (
  { scenarios }: { scenarios: readonly Scenario[] },
  { scenario }: Pick<BuildOptions, 'scenario'>,
) => scenarios.filter(({ id }) => scenario === 'all' || scenario === id)

/** What a generation gave; kept in memory, as every program of the stage is taken from it. */
export const generated = (context: Cached & ItemEnds, owner: Pick<BuildOwner, 'id'>, at: number) =>
  context.cache(`generated/${owner.id}/${at}`, async () => {
    const item = { workflow: owner.id, stage: 'generate', index: at }
    const outcome = await outcomeAt<GenerationOutcome>(context, item)
    if (!outcome) throw new Error(`${owner.id} has no programs of scenario ${at}`)
    if (!outcome.ok) throw new Error(outcome.reason)
    return outcome.result
  })

/** What a program's values name. They were stored before the program was given, so a missing one is a fault of the store. */
export async function artifactsOf(
  context: Cached & { artifacts: ArtifactStore },
  program: Program,
): Promise<Artifacts> {
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
