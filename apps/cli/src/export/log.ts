/** An evaluation as a log of Inspect AI. */
import { join } from 'node:path'
import { Failure } from '../command.ts'
import { connectEvaluation, openEvaluationStream } from '../suite/index.ts'
import { makeFolder } from '../suite/output.ts'
import type { CommandTerminal } from '../terminal.ts'
import { writeStream } from './write-stream.ts'

/** A log for Inspect AI in a folder of logs, with the only form of name that its viewer lists. */
export async function writeLog(id: string, folder: string, terminal: CommandTerminal, signal: AbortSignal) {
  if (!id.startsWith('ev_'))
    throw new Failure(`only an evaluation (ev_…) can be exported as a log, and ${id} is not one`)
  const params = { id }
  const { createdAt, benchmark, counts } = await connectEvaluation().getEvaluation({ params })
  const pieces = await openEvaluationStream('exportInspectLog', { params, signal })
  const { kind } = await connectEvaluation().getBenchmark({ params: { id: benchmark } })
  const time = createdAt.slice(0, 19).replaceAll(':', '-')
  const path = join(folder, `${time}_${kind}_${id.replace('_', '')}.json`)
  await makeFolder(folder)
  // The header is one line, and each sample another.
  const lines = { total: counts.samples, noun: 'samples', heading: 1 }
  return { path, bytes: await writeStream(pieces, path, terminal, lines) }
}
