/**
 * Runs the labelled failures and mutants of the same cases in the real sandbox against the real session
 * service, and stores what came out: node benchmarks/stateeval/test/root-causes/record.ts (needs MongoDB or
 * the embedded server, a minute or two).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from '@stateeval/contracts'
import { emit, mutationOperators } from '@stateeval/program'
import { translate } from '@stateeval/translate'
import { defaultOptions, generate } from '@stateeval/generate'
import { caseOf, scenario } from '../cases.ts'
import { labelled } from './labelled.ts'
import { recordMutants, startRunner } from './runner.ts'

/** Runs of each operator. */
const perOperator = 8
const fixtures = join(import.meta.dirname, 'fixtures')
const options = { ...defaultOptions, strategy: 'planned', count: 12, seed: 6 } as const
const cases: Case[] = [...generate(scenario, options)].map(({ program, flags }) => {
  const translated = translate({ program, scenario, seed: 1 })
  const instruction = translated.status === 'verified' ? translated.instruction : translated.reason
  return { ...caseOf(program, flags), instruction }
})

const runner = await startRunner()
try {
  const oracled: Case[] = []
  for (const c of cases) oracled.push(await runner.oracled(c, emit(c.program, 'javascript') as string))
  const failures = []
  for (const { name, case: at, cause, kind, code: make } of labelled) {
    const c = oracled[at] as Case
    const code = make(emit(c.program, 'javascript') as string)
    failures.push({ name, case: at, cause, kind, code, observations: await runner.run(c, code) })
  }
  const mutants = await recordMutants(runner, oracled, {
    operators: mutationOperators,
    seed: 'root causes',
    count: perOperator,
  })
  const lines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  writeFileSync(join(fixtures, 'cases.jsonl'), lines(oracled))
  writeFileSync(join(fixtures, 'failures.jsonl'), lines(failures))
  writeFileSync(join(fixtures, 'mutants.jsonl'), lines(mutants))
  console.log(`${oracled.length} cases, ${failures.length} failures, ${mutants.length} mutants`)
} finally {
  await runner.stop()
}
