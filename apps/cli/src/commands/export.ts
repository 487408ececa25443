import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tableFormats, type TableFormat } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { noteFolder } from '../local/folders.ts'
import { download } from '../suite/download.ts'
import { writeFolder } from '../suite/folder.ts'
import { evaluation, evaluationStream, talk } from '../suite/index.ts'

interface ExportCommand {
  format: TableFormat | 'dataset' | 'every-eval-ever' | 'inspect'
  out: string
  licence?: string
  organization?: string
  relationship?: 'first_party' | 'third_party' | 'collaborative' | 'other'
}

/** Which table an argument names: all reports, the samples of an evaluation, or the cases of a benchmark. */
function tableOf(what: string) {
  if (what === 'reports') return 'exportReports'
  if (what.startsWith('ev_')) return 'exportSamples'
  if (what.startsWith('bm_')) return 'exportCases'
  throw new Failure(
    `${what} can't be exported: name an evaluation (ev_…), a benchmark (bm_…), or reports. Their ids: npx stateeval list evaluations`,
  )
}

/** Writes a stream to a file, whole or not at all, and gives its bytes. What is no file is written to. */
async function writeStream(pieces: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const temporary = path.startsWith('/dev/') ? path : `${path}.${process.pid}.tmp`
  const out = createWriteStream(temporary)
  let bytes = 0
  try {
    await once(out, 'open')
    for await (const piece of pieces) {
      bytes += piece.length
      if (!out.write(piece)) await once(out, 'drain')
    }
    out.end()
    await once(out, 'finish')
    if (temporary !== path) await rename(temporary, path)
  } catch (error) {
    out.destroy()
    if (temporary !== path) await rm(temporary, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new Failure(`${path} can't be written (${code}): choose another --out`)
  }
  return bytes
}

async function writeTable(what: string, format: TableFormat, path: string, signal: AbortSignal) {
  const params = what === 'reports' ? {} : { params: { id: what } }
  return writeStream(await evaluationStream(tableOf(what), { ...params, query: { format }, signal }), path)
}

/** A log for Inspect AI in a folder of logs, by the only form of a name that its viewer lists. */
async function writeLog(id: string, folder: string, signal: AbortSignal) {
  if (!id.startsWith('ev_')) throw new Failure(`only an evaluation (ev_…) can be a log; ${id} is none`)
  const params = { id }
  const { createdAt, benchmark } = await evaluation().getEvaluation({ params })
  const pieces = await evaluationStream('exportInspectLog', { params, signal })
  const { kind } = await evaluation().getBenchmark({ params: { id: benchmark } })
  const time = createdAt.slice(0, 19).replaceAll(':', '-')
  const path = join(folder, `${time}_${kind}_${id.replace('_', '')}.json`)
  await mkdir(folder, { recursive: true })
  return { path, bytes: await writeStream(pieces, path) }
}

async function bytesOf(what: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of await evaluationStream('exportCases', {
    params: { id: what },
    query: { format: 'parquet' },
  }))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A benchmark's folder with a dataset card, and its cases as Parquet. */
async function writeDataset(id: string, { out, licence }: ExportCommand): Promise<string> {
  if (!id.startsWith('bm_')) throw new Failure(`only a benchmark (bm_…) can be a dataset; ${id} is none`)
  const client = evaluation()
  const { manifest } = await client.getBenchmark({ params: { id } })
  if (!manifest)
    throw new Failure(`the benchmark ${id} is not ready. Watch it with: npx stateeval show ${id}`)
  const query = licence === undefined ? {} : { licence }
  await writeFolder(out, {
    ...(await download(id, manifest)),
    'README.md': await client.getBenchmarkCard({ params: { id }, query }),
    'data/test.parquet': await bytesOf(id),
  })
  await noteFolder(manifest.digest, out)
  return manifest.digest
}

/** The record of a report, as a file. */
async function writeRecord(id: string, { out, organization, relationship }: ExportCommand) {
  if (!id.startsWith('ev_')) throw new Failure(`only an evaluation (ev_…) can be a record; ${id} is none`)
  const query = {
    ...(organization !== undefined && { organization }),
    ...(relationship !== undefined && { relationship }),
  }
  const record = await evaluation().exportRecord({ params: { id }, query })
  await writeFile(out, `${JSON.stringify(record, null, 2)}\n`)
  return record
}

export const exportData = defineCommand<ExportCommand>({
  name: 'export <what>',
  describe: 'Write reports, samples of an evaluation, or a benchmark as a file, or a benchmark as a dataset',
  example: [
    'npx stateeval export reports --format parquet --out reports.parquet',
    'npx stateeval export ev_0123456789abcdef --format csv --out samples.csv',
    'npx stateeval export ev_0123456789abcdef --format every-eval-ever --organization "My Lab" --out record.json',
    'npx stateeval export ev_0123456789abcdef --format inspect --out logs   # for inspect view --log-dir logs',
    'npx stateeval export bm_0123456789abcdef --format dataset --out my-dataset   # for datasets.load_dataset("my-dataset")',
  ].join('\n'),
  configure: (command) =>
    command
      .addOption(
        new Option('--format <format>', 'how to write it')
          .choices([...tableFormats, 'dataset', 'every-eval-ever', 'inspect'])
          .default('jsonl'),
      )
      .requiredOption('--out <path>', 'the file; a folder for a dataset or a log of Inspect AI')
      .option('--licence <name>', 'of a dataset: its licence, by its name in the Hugging Face list')
      .option('--organization <name>', 'of a record for Every Eval Ever: who evaluated')
      .addOption(
        new Option('--relationship <what>', 'of such a record: what the evaluator is to the maker').choices([
          'first_party',
          'third_party',
          'collaborative',
          'other',
        ]),
      ),
  run: async ({ options, args, terminal, signal }) =>
    talk(async (): Promise<ExitCode> => {
      const [what = ''] = args
      const { format, out } = options
      if (format === 'dataset') {
        const digest = await writeDataset(what, options)
        terminal.result(
          { benchmark: what, digest, out },
          () => `${out} is a dataset and a benchmark folder; its digest is ${digest}.`,
        )
        return 0
      }
      if (format === 'every-eval-ever') {
        const record = await writeRecord(what, options)
        terminal.result({ what, format, out, record }, () => `${what} as a record of Every Eval Ever: ${out}`)
        return 0
      }
      if (format === 'inspect') {
        const { path, bytes } = await writeLog(what, out, signal)
        const view = `Open it with: inspect view --log-dir ${out}`
        terminal.result(
          { what, format, out: path, bytes },
          () => `${what} as a log of Inspect AI: ${path}\n${view}`,
        )
        return 0
      }
      const bytes = await writeTable(what, format, out, signal)
      terminal.result({ what, format, out, bytes }, () => `${what} as ${format}: ${out}, ${bytes} bytes`)
      return 0
    }),
})
