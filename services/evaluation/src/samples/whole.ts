/**
 * The columns of all samples of an ended evaluation in one piece, so that the first look at 100 000 samples
 * reads one artifact instead of the columns of every chunk. Made from the chunks, which stay as they are.
 */
import { type SampleColumns, type NamePlaces, named, type NamedCounts, type NamedColumn } from './columns.ts'

/** References to the pieces of an index: artifacts. */
export interface StoredWhole {
  columns: string
  /** Artifacts of each chunk: its rows and its texts. */
  chunks: readonly (readonly [rows: string, texts: string])[]
}

interface IndexHead {
  total: number
  ended: number
  names: Record<NamedColumn, string[]>
  counts: NamedCounts
}

/** Columns of numbers begin at such a place. */
const alignOffset = (at: number) => Math.ceil(at / 4) * 4
const viewBytes = ({ buffer, byteOffset, byteLength }: Int32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

export function packColumns(columns: SampleColumns): Uint8Array {
  const total = columns.state.length
  const head: IndexHead = {
    total,
    ended: columns.ended,
    names: { verdict: columns.verdict.names, cause: columns.cause.names, group: columns.group.names },
    counts: columns.counts,
  }
  const text = Buffer.from(JSON.stringify(head))
  const statesAt = alignOffset(4 + text.length)
  const placesAt = alignOffset(statesAt + total)
  const packed = Buffer.alloc(placesAt + named.length * total * 4)
  packed.writeUInt32LE(text.length)
  packed.set(text, 4)
  packed.write(columns.state, statesAt, 'latin1')
  named.forEach((name, n) => packed.set(viewBytes(columns[name].at), placesAt + n * total * 4))
  return packed
}

export function unpackColumns(bytes: Uint8Array): SampleColumns {
  // Its own memory, which begins at a place that numbers may begin at.
  const { buffer } = new Uint8Array(bytes)
  const packed = Buffer.from(buffer)
  const length = packed.readUInt32LE()
  const { total, ended, names, counts } = JSON.parse(packed.toString('utf8', 4, 4 + length)) as IndexHead
  const statesAt = alignOffset(4 + length)
  const placesAt = alignOffset(statesAt + total)
  const column = (name: NamedColumn): NamePlaces => ({
    names: names[name],
    at: new Int32Array(buffer, placesAt + named.indexOf(name) * total * 4, total),
  })
  return {
    state: packed.toString('latin1', statesAt, statesAt + total),
    ended,
    counts,
    verdict: column('verdict'),
    cause: column('cause'),
    group: column('group'),
  }
}
