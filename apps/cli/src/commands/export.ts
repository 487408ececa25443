import { tableFormats, type TableFormat } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { writeLog } from '../export/log.ts'
import { type RecordOptions, writeRecord } from '../export/record.ts'
import { writeStream } from '../export/write-stream.ts'
import { noteFolder } from '../local/folders.ts'
import { type StreamLines, showBytes } from '../suite/counter.ts'
import { downloadFolder } from '../suite/download.ts'
import { writeFolder } from '../suite/folder.ts'
import { connectEvaluation, openEvaluationStream, runRequests } from '../suite/index.ts'
import type { CommandTerminal } from '../terminal.ts'

interface ExportCommand extends RecordOptions {
  format: TableFormat | 'dataset' | 'every-eval-ever' | 'inspect'
  out: string
  licence?: string
}

/** Which table an argument names: all reports, the samples of an evaluation, or the cases of a benchmark. */
function parseTableName(what: string) {
  if (what === 'reports') return 'exportReports'
  if (what.startsWith('ev_')) return 'exportSamples'
  if (what.startsWith('bm_')) return 'exportCases'
  throw new Failure(
    `${what} can't be exported: name an evaluation (ev_…), a benchmark (bm_…), or reports. Their ids: npx stateeval list evaluations`,
  )
}

/** The lines of a table. A Parquet file has none, and the number of reports is not known beforehand. */
async function streamTableLines(what: string, format: TableFormat): Promise<StreamLines | undefined> {
  if (format === 'parquet' || what === 'reports') return undefined
  const form = format === 'csv' ? { heading: 1, quotes: true } : {}
  const params = { id: what }
  if (what.startsWith('ev_')) {
    const { counts } = await connectEvaluation().getEvaluation({ params })
    return { total: counts.samples, noun: 'samples', ...form }
  }
  const { manifest } = await connectEvaluation().getBenchmark({ params })
  return manifest && { total: manifest.counts.kept, noun: 'cases', ...form }
}

async function writeTable(
  what: string,
  { format, out }: { format: TableFormat; out: string },
  terminal: CommandTerminal,
  signal: AbortSignal,
) {
  const id = parseTableName(what)
  const params = what === 'reports' ? {} : { params: { id: what } }
  const lines = await streamTableLines(what, format)
  const pieces = await openEvaluationStream(id, { ...params, query: { format }, signal })
  return writeStream(pieces, out, terminal, lines)
}

async function downloadParquet(what: string, terminal: CommandTerminal): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const query = { format: 'parquet' } as const
  const all = await openEvaluationStream('exportCases', { params: { id: what }, query })
  for await (const piece of showBytes('export', all, terminal)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A benchmark's folder with a dataset card, and its cases as Parquet. */
async function writeDataset(
  id: string,
  { out, licence }: ExportCommand,
  terminal: CommandTerminal,
): Promise<string> {
  if (!id.startsWith('bm_'))
    throw new Failure(`only a benchmark (bm_…) can be exported as a dataset, and ${id} is not one`)
  const client = connectEvaluation()
  const { manifest } = await client.getBenchmark({ params: { id } })
  if (!manifest)
    throw new Failure(`the benchmark ${id} is not ready. Watch it with: npx stateeval show ${id}`)
  const query = licence === undefined ? {} : { licence }
  await writeFolder(out, {
    ...(await downloadFolder(id, manifest, terminal)),
    'README.md': await client.getBenchmarkCard({ params: { id }, query }),
    'data/test.parquet': await downloadParquet(id, terminal),
  })
  await noteFolder(manifest.digest, out)
  return manifest.digest
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
        new Option('--format <format>', 'output format')
          .choices([...tableFormats, 'dataset', 'every-eval-ever', 'inspect'])
          .default('jsonl'),
      )
      .requiredOption('--out <path>', 'the file; a folder for a dataset or a log of Inspect AI')
      .option('--licence <name>', 'with dataset: the licence, by its Hugging Face identifier')
      .option('--organization <name>', 'with every-eval-ever: the name of the evaluator')
      .option('--samples', 'with every-eval-ever: also write the samples, in a file next to it')
      .addOption(
        new Option(
          '--relationship <what>',
          'with every-eval-ever: the evaluator’s relationship to the model’s developer',
        ).choices(['first_party', 'third_party', 'collaborative', 'other']),
      ),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const [what = ''] = args
      const { format, out } = options
      if (format === 'dataset') {
        const digest = await writeDataset(what, options, terminal)
        terminal.result(
          { benchmark: what, digest, out },
          () => `${out} is a dataset and a benchmark folder; its digest is ${digest}.`,
        )
        return 0
      }
      if (format === 'every-eval-ever') {
        const { record, samples } = await writeRecord(what, options, terminal, signal)
        const rows = samples && `\n${samples.rows} samples: ${samples.path}`
        const says = `${what} as a record of Every Eval Ever: ${out}${rows ?? ''}`
        terminal.result({ what, format, out, record, ...(samples && { samples: samples.path }) }, () => says)
        return 0
      }
      if (format === 'inspect') {
        const { path, bytes } = await writeLog(what, out, terminal, signal)
        const view = `Open it with: inspect view --log-dir ${out}`
        terminal.result(
          { what, format, out: path, bytes },
          () => `${what} as a log of Inspect AI: ${path}\n${view}`,
        )
        return 0
      }
      const bytes = await writeTable(what, { format, out }, terminal, signal)
      terminal.result({ what, format, out, bytes }, () => `${what} as ${format}: ${out}, ${bytes} bytes`)
      return 0
    }),
})
