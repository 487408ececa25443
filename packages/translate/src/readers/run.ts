/** A run of a parsed program, with the effect of each of its calls. */
import { canonicalJson, type ExecutionInput, type JsonValue, type Program } from '@stateeval/contracts'
import { cloneJson, interpret, type PathEnd, type Scenario } from '@stateeval/program'

export type ReaderWorld = Pick<Scenario, 'operations' | 'open' | 'observe' | 'reread'>
/** A call of a run: its arguments and its output at that time. */
export interface CallResult {
  args: Readonly<Record<string, JsonValue>>
  output: JsonValue
  /** True if the call only read, so that it can be made again. */
  reads: boolean
}
export interface ReaderRun {
  input: ExecutionInput
  outcome: string
  branch: PathEnd
  /** Results of calls, by the name of their output. */
  results: ReadonlyMap<string, CallResult>
}

/**
 * The run; null where the program came with a world that the scenario does not know, which its state machine
 * may stumble over.
 */
function interpretInWorld(
  program: Program,
  world: ReaderWorld,
  input: ExecutionInput,
  onCall?: Parameters<typeof interpret>[3],
) {
  try {
    return interpret(program, world, input, onCall)
  } catch {
    return null
  }
}

/** RESULT and the final world as a text; the text of a failure is always the same. */
export function formatOutcome(program: Program, world: ReaderWorld, input: ExecutionInput): string {
  const run = interpretInWorld(program, world, input)
  return run?.ok ? canonicalJson([run.result, run.world]) : 'failed'
}

/** The run on an input; null if the program fails there. */
export function interpretRun(program: Program, world: ReaderWorld, input: ExecutionInput): ReaderRun | null {
  const results = new Map<string, CallResult>()
  const run = interpretInWorld(program, world, input, ({ binds }, { args, output = null, affects }) => {
    if (binds !== undefined)
      results.set(binds, { args: cloneJson(args), output: cloneJson(output), reads: affects.length === 0 })
  })
  if (!run?.ok) return null
  return { input, outcome: canonicalJson([run.result, run.world]), branch: run.branch, results }
}
