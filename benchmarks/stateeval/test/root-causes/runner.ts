/** Runs programs on the inputs of a case in the real sandbox, against the real worlds, and keeps what rules read of the runs. */
import type { Case, ExecutionRequest, ExecutionResult, Language, Observation } from '@stateeval/contracts'
import { startSuite } from '@stateeval/testkit'

export interface Runner {
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

/** Without what differs from run to run and no rule reads; long logs are loops. */
function compact({ log, output: _output, wallMs: _wallMs, seed: _seed, ...rest }: Observation): Observation {
  return { ...rest, log: log.slice(0, 60), output: '', wallMs: 0 }
}
