import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { writeStream } from '../export/write-stream.ts'
import { describePartial } from '../report/format.ts'
import { formats } from '../report/index.ts'
import { connectEvaluation, openEvaluationStream, readEvaluationText, runRequests } from '../suite/index.ts'
import type { CommandTerminal } from '../terminal.ts'

interface ReportCommand {
  format: string
  samples?: string
  out?: string
}

const sampleChoices = /^(failed|all|none|[0-9]{1,9})$/

/** The page of the service: to a file as it comes, else as a text. */
async function writeReportPage(
  id: string,
  { samples, out }: ReportCommand,
  terminal: CommandTerminal,
  signal: AbortSignal,
) {
  const request = { params: { id }, query: samples === undefined ? {} : { samples }, signal }
  if (out === undefined) {
    const html = await readEvaluationText('exportPage', request)
    return terminal.result({ evaluation: id, html }, () => html.trimEnd())
  }
  const bytes = await writeStream(await openEvaluationStream('exportPage', request), out, terminal)
  terminal.result({ evaluation: id, out, bytes }, () => `${id} as a page: ${out}, ${bytes} bytes`)
}

export const report = defineCommand<ReportCommand>({
  name: 'report <evaluation>',
  describe: 'Show the report of an evaluation; partial while it runs or after a cancellation',
  example: [
    'npx stateeval report ev_0123456789abcdef --format junit > report.xml',
    'npx stateeval report ev_0123456789abcdef --format html --samples all --out report.html   # opens without a server',
  ].join('\n'),
  configure: (command) =>
    command
      .addOption(
        new Option('--format <format>', 'output format')
          .choices([...Object.keys(formats), 'html'])
          .default('table'),
      )
      .option(
        '--samples <which>',
        'with html: samples whose evidence the page contains; failed (default), all, none, or the first N',
      )
      .option('--out <file>', 'with html: write it to this file'),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const { format, samples, out } = options
      if (format !== 'html' && (samples !== undefined || out !== undefined))
        throw new Failure('--samples and --out belong to a page. Add --format html.')
      if (samples !== undefined && !sampleChoices.test(samples))
        throw new Failure(`--samples is failed, all, none or a number, not ${samples}.`)
      if (format === 'html') {
        await writeReportPage(args[0]!, options, terminal, signal)
        return 0
      }
      const resource = await connectEvaluation().getEvaluationReport({ params: { id: args[0]! } })
      const { partial } = resource.result
      // Not every format has a place for it.
      if (partial && format !== 'table') terminal.notice(`Partial report: ${describePartial(partial)}.`)
      terminal.result(resource, () => formats[format]!(resource, terminal.colors).replace(/\n$/, ''))
      return 0
    }),
})
