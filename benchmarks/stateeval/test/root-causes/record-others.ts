/**
 * Records the failures of labelled-others.ts, and mutants of cases that no rule has seen: by the operators
 * held out, drawn anew once the rules were done. node benchmarks/stateeval/test/root-causes/record-others.ts
 * [failures|fresh] (STATEEVAL_PYTHON needs torch and requests)
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, Language } from '@stateeval/contracts'
import {
  emit,
  buildInput,
  listPathInputs,
  mutationOperators,
  resolveTensors,
  type Scenario,
} from '@stateeval/program'
import { defaultOptions, generate } from '@stateeval/generate'
import { scenarios } from '@stateeval/scenarios'
import { labelledElsewhere } from './labelled-others.ts'
import { heldOut } from './labels.ts'
import { recordMutants, startRunner } from './runner.ts'

const [what = 'failures'] = process.argv.slice(2)
const seed = what === 'fresh' ? 2027 : 6
const fixtures = join(import.meta.dirname, 'fixtures')
const write = (name: string, values: unknown[]) =>
  writeFileSync(join(fixtures, name), values.map((value) => `${JSON.stringify(value)}\n`).join(''))

function casesOf(scenario: Scenario, count: number): Case[] {
  return [...generate(scenario, { ...defaultOptions, strategy: 'planned', count, seed })].map(
    ({ program: draft, artifacts = {}, flags }) => {
      // Tensors stand in the fixture itself.
      const resolved = resolveTensors(draft, (hash) => artifacts[hash])
      if (!resolved.ok) throw new Error(resolved.says)
      const program = resolved.value
      const inputs = flags.includes('dead_branch') ? [buildInput(program)] : listPathInputs(program)
      return {
        id: `${scenario.id}-${program.id.slice(0, 12)}`,
        scenario: scenario.id,
        world: scenario.world,
        instruction: '',
        variables: program.variables.map(({ name, values }) => ({ name, type: typeof values[0] })),
        program,
        oracles: inputs.map((input) => ({
          input,
          result: null,
          world: { state: {}, ids: { initial: [], created: [] }, gone: [] },
        })),
        flags: [...flags],
        metrics: {},
      }
    },
  )
}

const runner = await startRunner()
try {
  if (what === 'fresh') {
    const scenario = scenarios.find(({ id }) => id === 'session-service') as Scenario
    const cases = await Promise.all(
      casesOf(scenario, 12).map((c) => runner.oracled(c, emit(c.program, 'javascript') as string)),
    )
    const mutants = await recordMutants(runner, cases, {
      operators: mutationOperators.filter(({ id }) => heldOut.includes(id)),
      seed: 'fresh',
      count: 8,
    })
    write('fresh-cases.jsonl', cases)
    write('fresh-mutants.jsonl', mutants)
    console.log(`${cases.length} cases, ${mutants.length} mutants`)
  } else {
    const cases = new Map<string, Case>()
    const failures = []
    for (const { name, scenario: id, language, case: at, cause, kind, code: make } of labelledElsewhere) {
      const key = `${id}/${at}/${language}`
      const c = cases.get(key) ?? (await caseIn(id, at, language))
      cases.set(key, c)
      const code = make(emit(c.program, language) as string)
      failures.push({
        name,
        case: [...cases.keys()].indexOf(key),
        cause,
        kind,
        language,
        code,
        observations: await runner.run(c, code, language),
      })
    }
    write('other-cases.jsonl', [...cases.values()])
    write('other-failures.jsonl', failures)
    console.log(`${cases.size} cases, ${failures.length} failures`)
  }
} finally {
  await runner.stop()
}

async function caseIn(id: string, at: number, language: Language): Promise<Case> {
  const scenario = scenarios.find((one) => one.id === id) as Scenario
  const c = casesOf(scenario, at + 1)[at] as Case
  return runner.oracled(c, emit(c.program, language) as string, language)
}
