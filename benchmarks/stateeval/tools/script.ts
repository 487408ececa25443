/**
 * A program as calls of tools: from what was answered so far to the next calls. Conditions and local edits
 * are carried out here. Calls that need no answer of each other are made in one reply.
 */
import type {
  StepBlock,
  Call,
  JsonValue,
  JsonObject,
  ModelToolCall,
  Program,
  VariableReference,
  ProgramStep,
} from '@stateeval/contracts'
import {
  evaluate,
  getRootBlock,
  isCall,
  type ValuePath,
  type Scenario,
  formatReference,
  tensorKey,
} from '@stateeval/program'
import { resultTool } from './result-tool.ts'

/** The answer to a call. */
export type ScriptAnswer = { ok: true; value: unknown } | { ok: false; says: string }

/** Calls of one reply at most. */
const together = 8

/** The program cannot continue: what it needs has no value, or a call was refused. */
class ScriptStop {
  readonly says: string
  constructor(says: string) {
    this.says = says
  }
}
/** The program waits for the answer of a call that is not made yet. */
class ScriptWait {}
const stop = (says: string): never => {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- caught below, and never leaves this file
  throw new ScriptStop(says)
}
const pending = Symbol('pending')

type ScriptNext = { calls: Omit<ModelToolCall, 'id'>[] } | { stopped: string }

/**
 * The next calls of a program, the last of which submits its RESULT; or why it stops.
 *
 * @param variables as they were shown
 * @param answers of the calls so far, in order
 */
export function listNextCalls(
  program: Program,
  scenario: Pick<Scenario, 'operations'>,
  variables: Readonly<Record<string, JsonValue>>,
  answers: readonly ScriptAnswer[],
): ScriptNext {
  const env = new Map<string, unknown>(Object.entries(variables))
  const batch: Omit<ModelToolCall, 'id'>[] = []
  let made = 0
  const wait = (): never => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- as above
    throw new ScriptWait()
  }
  const read = ({ variable, path }: Pick<VariableReference, 'variable' | 'path'>): unknown => {
    const bound = env.get(variable)
    if (bound === pending) return wait()
    const value = readScriptPath(bound, path)
    return value === undefined ? stop(`${formatReference({ variable, path })} is undefined`) : value
  }
  const run = (step: ProgramStep): void => {
    if (!isCall(step)) return edit(step)
    if (made < answers.length) {
      const answer = answers[made++]!
      if (!answer.ok) return stop(`${step.api} was refused: ${answer.says}`)
      if (step.binds) env.set(step.binds, answer.value)
      return
    }
    if (batch.length === together) return wait()
    const args = Object.entries(step.args).map(([name, expr]) => [name, passValue(evaluate(expr, read))])
    batch.push({ name: findCallTool(step, scenario), arguments: JSON.stringify(Object.fromEntries(args)) })
    if (step.binds) env.set(step.binds, pending)
  }
  const edit = ({ target: { variable, path }, value: expr }: Exclude<ProgramStep, Call>) => {
    const value = evaluate(expr, read)
    if (path.length === 0) return void env.set(variable, value)
    const parent = read({ variable, path: path.slice(0, -1) })
    if (parent === null || typeof parent !== 'object')
      return stop(`${formatReference({ variable, path })} can't be set`)
    ;(parent as Record<string | number, unknown>)[path.at(-1)!] = value
  }
  const finish = ({ steps, result, branch }: StepBlock): ScriptNext => {
    steps.forEach(run)
    if (branch) {
      const { condition, then, otherwise } = branch
      const tested = read(condition)
      const measured =
        condition.measure === 'count' ? (Array.isArray(tested) ? tested.length : undefined) : tested
      return finish(measured === read({ variable: condition.equals, path: [] }) ? then : otherwise)
    }
    if (batch.length > 0) return { calls: batch }
    const entries = result.map(({ key, value }) => [key, passValue(read(value))])
    return { calls: [{ name: resultTool, arguments: JSON.stringify(Object.fromEntries(entries)) }] }
  }
  try {
    return finish(getRootBlock(program))
  } catch (error) {
    if (error instanceof ScriptStop) return { stopped: error.says }
    if (error instanceof ScriptWait) return { calls: batch }
    throw error
  }
}

interface ShownTensor {
  tensor: string
  shape: readonly number[]
  dtype: string
}
/** A value that goes by its name. */
const isShown = (value: unknown): value is ShownTensor =>
  value !== null &&
  typeof value === 'object' &&
  typeof (value as Partial<ShownTensor>).tensor === 'string' &&
  Array.isArray((value as Partial<ShownTensor>).shape)

/** Reads the value at a path; of a tensor, what was shown of it. */
function readScriptPath(value: unknown, path: ValuePath): unknown {
  let now = value
  for (const key of path) {
    if (now === null || typeof now !== 'object') return undefined
    if (key === tensorKey && isShown(now)) now = { ...now, dtype: `torch.${now.dtype}` }
    else if (Object.hasOwn(now, key)) now = (now as JsonObject)[key]
    else return undefined
  }
  return now
}

/** A value as it is passed to a tool. */
function passValue(value: unknown): unknown {
  if (isShown(value)) return value.tensor
  if (Array.isArray(value)) return value.map(passValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, passValue(item)]))
}

/** The tool that a call stands for; a mutant may call what is none. */
function findCallTool(call: Call, { operations }: Pick<Scenario, 'operations'>): string {
  switch (call.kind) {
    case 'http':
      return (
        operations.find(
          ({ say: { call: known } }) =>
            known.kind === 'http' && known.method === call.method && known.path === call.path,
        )?.id ?? `${call.method} ${call.path}`
      )
    case 'function':
      return call.name.slice(call.name.lastIndexOf('.') + 1)
    case 'tool':
      return call.api
  }
}
