/**
 * Runs programs on the inputs of a case in the real sandbox, against the real worlds, and keeps what rules
 * read of the runs.
 */
import type { Case, ExecutionRequest, ExecutionResult, Language, Observation } from '@stateeval/contracts'
import { createRng, emit, type MutationOperator } from '@stateeval/program'
import { startSuite } from '@stateeval/testkit'
import type { RecordedMutant } from './recorded.ts'

interface Runner {
  run(c: Case, code: string, language?: Language): Promise<Observation[]>
  /** The case with what its reference code left behind as its oracles. */
  oracled(c: Case, code: string, language?: Language): Promise<Case>
  stop(): Promise<void>
}

export async function startRunner(): Promise<Runner> {
  const suite = await startSuite({ only: ['execution'] })
  const run: Runner['run'] = async (c, code, language = 'javascript') => {
    const body: ExecutionRequest = {
      language,
      code,
      world: c.world,
      inputs: c.oracles.map(({ input }) => input),
      limits: { wallMs: 4000 },
    }
    const answer = await fetch(`${suite.urls['execution']}/v1/executions?wait=60`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { result } = (await answer.json()) as { result?: ExecutionResult }
    if (!result) throw new Error(`no result: ${answer.status}`)
    return result.observations.map(compact)
  }
  return {
    run,
    async oracled(c, code, language) {
      const observations = await run(c, code, language)
      const oracles = c.oracles.map(({ input }, n) => {
        const { ending, world } = observations[n] as Observation
        if (ending.status !== 'completed' || !world)
          throw new Error(`the reference of ${c.id} fails: ${JSON.stringify(ending)}`)
        return { input, result: ending.result, world }
      })
      return { ...c, oracles }
    },
    stop: () => suite.stop(),
  }
}

/**
 * What `count` mutants of each operator leave, drawn among all sites in the cases; `seed` begins the name of
 * each draw.
 */
export async function recordMutants(
  runner: Runner,
  cases: readonly Case[],
  { operators, seed, count }: { operators: readonly MutationOperator[]; seed: string; count: number },
): Promise<RecordedMutant[]> {
  const mutants: RecordedMutant[] = []
  for (const operator of operators) {
    const rng = createRng(`${seed}/${operator.id}`)
    const sites = cases.flatMap((c, at) => operator.sites(c.program).map((site) => ({ c, at, site })))
    for (const { c, at, site } of rng.sample(sites, count)) {
      const code = emit(site.change(rng), 'javascript') as string
      const observations = await runner.run(c, code)
      mutants.push({ operator: operator.id, site: site.where, case: at, code, observations })
    }
  }
  return mutants
}

/** Without what differs from run to run and no rule reads; long logs are loops. */
function compact({ log, output: _output, wallMs: _wallMs, seed: _seed, ...rest }: Observation): Observation {
  return { ...rest, log: log.slice(0, 60), output: '', wallMs: 0 }
}
