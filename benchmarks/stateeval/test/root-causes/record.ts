/**
 * Runs the labelled failures and mutants of the same cases in the real sandbox against the real session service, and stores
 * what came out: node benchmarks/stateeval/test/root-causes/record.ts (needs MongoDB or the embedded server, a minute or two).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, ExecutionRequest, ExecutionResult, Observation } from '@stateeval/contracts'
import { createRng, emit, mutationOperators } from '@stateeval/program'
import { translate } from '@stateeval/translate'
import { defaultOptions, generate } from '@stateeval/generate'
import { startSuite } from '@stateeval/testkit'
import { caseOf, scenario } from '../cases.ts'
import { labelled } from './labelled.ts'
import type { RecordedMutant } from './recorded.ts'

/** Runs of each operator. */
const perOperator = 8
const fixtures = join(import.meta.dirname, 'fixtures')
const options = { ...defaultOptions, strategy: 'planned', count: 12, seed: 6 } as const
const cases: Case[] = [...generate(scenario, options)].map(({ program, flags }) => {
  const translated = translate({ program, scenario, seed: 1 })
  const instruction = translated.status === 'verified' ? translated.instruction : translated.reason
  return { ...caseOf(program, flags), instruction }
})

const suite = await startSuite({ only: ['execution'] })
try {
  const run = async (c: Case, code: string): Promise<Observation[]> => {
    const body: ExecutionRequest = {
      language: 'javascript',
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
  const oracled: Case[] = []
  for (const c of cases) {
    const observations = await run(c, emit(c.program, 'javascript') as string)
    const oracles = c.oracles.map(({ input }, n) => {
      const { ending, world } = observations[n] as Observation
      if (ending.status !== 'completed' || !world) throw new Error(`the reference of ${c.id} fails: ${JSON.stringify(ending)}`)
      return { input, result: ending.result, world }
    })
    oracled.push({ ...c, oracles })
  }
  const failures = []
  for (const { name, case: at, cause, kind, code: make } of labelled) {
    const c = oracled[at] as Case
    const code = make(emit(c.program, 'javascript') as string)
    failures.push({ name, case: at, cause, kind, code, observations: await run(c, code) })
  }
  const mutants: RecordedMutant[] = []
  for (const operator of mutationOperators) {
    const rng = createRng(`root causes/${operator.id}`)
    const sites = oracled.flatMap((c, at) => operator.sites(c.program).map((site) => ({ c, at, site })))
    for (const { c, at, site } of rng.sample(sites, perOperator)) {
      const code = emit(site.change(rng), 'javascript') as string
      mutants.push({ operator: operator.id, site: site.where, case: at, code, observations: await run(c, code) })
    }
  }
  const lines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  writeFileSync(join(fixtures, 'cases.jsonl'), lines(oracled))
  writeFileSync(join(fixtures, 'failures.jsonl'), lines(failures))
  writeFileSync(join(fixtures, 'mutants.jsonl'), lines(mutants))
  console.log(`${oracled.length} cases, ${failures.length} failures, ${mutants.length} mutants`)
} finally {
  await suite.stop()
}

/** Without what differs from run to run and no rule reads; long logs are loops. */
function compact({ log, output: _output, wallMs: _wallMs, ...rest }: Observation): Observation {
  return { ...rest, log: log.slice(0, 60), output: '', wallMs: 0 }
}
