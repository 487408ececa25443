/** Lists the runs that the readings of an answer need: one for each different list of calls and rules. */
import type { CallsRequest, ListedCall, ProgramRequest, AnswerReading } from '@stateeval/contracts'
import { type CaseApis, runTools } from '../apis.ts'
import type { NestfulCase } from '../case.ts'
import { buildPythonProgram } from '../functions/python-program.ts'
import { type RunRules } from '../functions/run.ts'
import { labelReferences } from './labels.ts'
import { readingsOf } from '../readings.ts'

export interface ExecutionStep {
  /** The places of the readings that it is run for. */
  readings: number[]
  calls: readonly ListedCall[]
  rules: RunRules
  request: CallsRequest | ProgramRequest
}

/** The released code's limit for a whole sequence. */
const limits = { wallMs: 10_000 }
const inputs = [{ variables: {}, world: {} }]

export function planSteps(
  readings: readonly AnswerReading[],
  c: NestfulCase,
  apis: CaseApis,
  sources: Readonly<Record<string, string>> | null,
): ExecutionStep[] {
  const steps = new Map<string, ExecutionStep>()
  // A fresh case is run as execution runs calls, whatever the policy, so all that read the same list share a
  // run.
  const policies: readonly (string | null)[] = c.task.truth
    ? Object.values(readingsOf)
    : [readingsOf.run, readingsOf.sound]
  for (const [at, { policy, calls: read = [] }] of readings.entries()) {
    if (!policies.includes(policy)) continue
    // The run over Python sources also tells whether the gold calls can be run here.
    if (read.length === 0 && !sources) continue
    const rules = policy === readingsOf.sound ? 'sound' : 'published'
    const calls = rules === 'sound' ? labelReferences(read) : read
    const request = buildListRequest(c, calls, rules, { apis, sources })
    if (!request) continue
    const key = JSON.stringify(c.task.form === 'v2' ? [rules, calls] : calls)
    const step = steps.get(key)
    if (step) step.readings.push(at)
    else steps.set(key, { readings: [at], calls, rules, request })
  }
  return [...steps.values()]
}

function buildListRequest(
  { task }: NestfulCase,
  calls: readonly ListedCall[],
  rules: RunRules,
  { apis: { apis }, sources }: { apis: CaseApis; sources: Readonly<Record<string, string>> | null },
): ExecutionStep['request'] | null {
  if (task.truth) {
    const { world, input } = task.truth
    return { kind: 'calls', calls, binding: 'name', world, inputs: [input], limits }
  }
  const used = new Set([...calls, ...(sources ? task.calls : [])].map(({ name }) => name))
  if (task.form === 'v1') {
    if (task.part !== 'executable') return null
    return runInWorld('run_mock', { calls, apis: [...apis.values()].filter(({ name }) => used.has(name)) })
  }
  const tools = runTools(apis).filter(({ name }) => used.has(name))
  if (!sources) return runInWorld('run_functions', { calls, tools, rules })
  const needed = Object.fromEntries(Object.entries(sources).filter(([name]) => used.has(name)))
  const code = buildPythonProgram({ calls, gold: task.calls, tools, sources: needed, rules })
  return { kind: 'code', language: 'python', code, world: 'functions', inputs, limits }
}

/** The world runs a list as a whole: between its calls, values stay Python's, which JSON has no words for. */
const runInWorld = (name: string, args: object): CallsRequest => ({
  kind: 'calls',
  calls: [{ name, arguments: JSON.stringify(args) }],
  binding: 'name',
  world: 'functions',
  inputs,
  limits,
})
