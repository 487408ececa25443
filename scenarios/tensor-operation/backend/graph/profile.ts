/** Finds where ONNX Runtime computed the operations of a session, from its records of the first run. */
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InferenceSession } from './onnx-runtime.ts'
import type { CheckedGraph } from './check.ts'
import { isGiven, formatValueName } from './lower.ts'
import { type ProviderOperations, type GraphProvider, parseProvider } from './provider.ts'

/** Creates a unique prefix for the file of records: ONNX Runtime appends the time. */
export const createProfilePrefix = () =>
  join(tmpdir(), `stateeval-graph-${process.pid}-${randomBytes(6).toString('hex')}`)

/** Removes the records of a session that never ran. */
export function dropRecords(session: InferenceSession, prefix: string) {
  session.endProfiling()
  for (const file of globSync(`${prefix}*`)) rmSync(file, { force: true })
}

const copyPattern = /^Memcpy(To|From)Host$/
/** ONNX Runtime adds to the name of a node whose layout it has changed. */
const value = /^(v\d+)(?:_token_\d+)?_kernel_time$/

export interface RecordedOperations {
  operations: ProviderOperations
  /**
   * Number of copies of values between two operations, from a device to the CPU or back. Operations of one
   * device need none: the values stay in its memory.
   */
  copies: number
}

/**
 * Ends the recording, which costs time. An operation that is not recorded (ONNX Runtime took it out) counts
 * as the CPU's.
 */
export function readRecorded(
  session: InferenceSession,
  prefix: string,
  graph: CheckedGraph,
): RecordedOperations {
  session.endProfiling()
  const byNode = new Map<string, GraphProvider>()
  let copies = 0
  for (const file of globSync(`${prefix}*`)) {
    const events = JSON.parse(readFileSync(file, 'utf8')) as {
      cat?: string
      name: string
      args?: { provider?: string; op_name?: string }
    }[]
    for (const { cat, name, args } of events) {
      const node = cat === 'Node' ? value.exec(name)?.[1] : undefined
      if (cat === 'Node' && copyPattern.test(args?.op_name ?? '') && name.endsWith('_kernel_time')) copies++
      if (node !== undefined) byNode.set(node, parseProvider(args?.provider))
    }
    rmSync(file, { force: true })
  }
  const operations: ProviderOperations = {}
  graph.nodes.forEach((node, at) => {
    if (isGiven(node)) return
    const provider = byNode.get(formatValueName(at)) ?? 'cpu'
    operations[provider] = (operations[provider] ?? 0) + 1
  })
  return { operations, copies }
}
