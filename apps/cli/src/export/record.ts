/** An evaluation as a record of Every Eval Ever, with or without its samples. */
import { createHash } from 'node:crypto'
import { Failure } from '../command.ts'
import { connectEvaluation, openEvaluationStream } from '../suite/index.ts'
import { writeText } from '../suite/output.ts'
import type { CommandTerminal } from '../terminal.ts'
import { writeStream } from './write-stream.ts'

export interface RecordOptions {
  organization?: string
  relationship?: 'first_party' | 'third_party' | 'collaborative' | 'other'
  samples?: boolean
}
interface WrittenSamples {
  path: string
  rows: number
  checksum: string
}

/** Samples beside their record, by the name that the collection wants: `<record>_samples.jsonl`. */
async function writeSamples(
  id: string,
  record: string,
  terminal: CommandTerminal,
  signal: AbortSignal,
): Promise<WrittenSamples> {
  const path = `${record.replace(/\.json$/, '')}_samples.jsonl`
  const hash = createHash('sha256')
  let rows = 0
  async function* counted(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      hash.update(piece)
      for (const byte of piece) if (byte === 10) rows++
      yield piece
    }
  }
  const { counts } = await connectEvaluation().getEvaluation({ params: { id } })
  const pieces = await openEvaluationStream('exportSampleRecords', { params: { id }, signal })
  await writeStream(counted(pieces), path, terminal, { total: counts.samples, noun: 'samples' })
  return { path, rows, checksum: hash.digest('hex') }
}

/** Matches the place where a collection has a record: `data/BENCHMARK/DEVELOPER/MODEL/UUID.json`. */
const inCollection = /(?:^|\/)(data\/[^/]+\/[^/]+\/[^/]+\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.json$/i

/** A record may name its samples by their path in a collection only, so it does at its place in one. */
function findDetailsFile(out: string, { rows, checksum }: WrittenSamples) {
  const [, place] = inCollection.exec(out) ?? []
  if (place === undefined) return {}
  return {
    detailed_evaluation_results: {
      format: 'jsonl',
      file_path: `${place}_samples.jsonl`,
      hash_algorithm: 'sha256',
      checksum,
      total_rows: rows,
    },
  }
}

export async function writeRecord(
  id: string,
  { out, organization, relationship, samples: wantsSamples }: RecordOptions & { out: string },
  terminal: CommandTerminal,
  signal: AbortSignal,
) {
  if (!id.startsWith('ev_'))
    throw new Failure(`only an evaluation (ev_…) can be exported as a record, and ${id} is not one`)
  const query = {
    ...(organization !== undefined && { organization }),
    ...(relationship !== undefined && { relationship }),
  }
  const report = await connectEvaluation().exportRecord({ params: { id }, query })
  const samples = wantsSamples ? await writeSamples(id, out, terminal, signal) : undefined
  const record = { ...report, ...(samples && findDetailsFile(out, samples)) }
  await writeText(out, `${JSON.stringify(record, null, 2)}\n`)
  return { record, ...(samples && { samples }) }
}
