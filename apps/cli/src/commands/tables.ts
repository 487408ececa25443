import type { Report } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import type { PaperTables, PublishedTables } from '@stateeval/program/presentation'
import { presentations } from '@stateeval/benchmarks/presentations'
import { choose, tableForms } from '../report/table-forms.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { listKindsByFeature, findPresentation } from '../suite/kinds.ts'
import { readText, unreadable } from '../text-file.ts'

interface TablesCommand {
  published?: string
  policy: string
  format: string
  models?: string[]
  columns?: string[]
  rows?: string[]
}

/** The published tables in a file; undefined without a file. */
export async function readPublished(file: string | undefined): Promise<PublishedTables> {
  if (file === undefined) return { tables: {} }
  const text = await readText(file).catch(
    unreadable(`${file} cannot be read; it should contain the published tables as JSON: {"tables": …}`),
  )
  const content = parseReport(text)
  if (typeof content?.tables !== 'object' || content.tables === null)
    throw new Failure(
      `${file} contains no published tables; they are JSON: {"tables": {"III full completion": {"models": […], "rows": {…}}, …}}`,
    )
  return content as PublishedTables
}

function parseReport(text: string): { tables?: unknown } | null {
  try {
    return JSON.parse(text) as { tables?: unknown } | null
  } catch {
    return null
  }
}

const splitNames = (text: string) => text.split(',').map((one) => one.trim())

/** The paper of the evaluations' kind: the same one for all of them. */
function findPaper(ids: readonly string[], reports: readonly Report[]): PaperTables {
  const kinds = [...new Set(reports.map(({ run }) => run.kind ?? 'unknown'))]
  const [kind = 'unknown'] = kinds
  if (kinds.length > 1)
    throw new Failure(`The evaluations are of different kinds: ${kinds.join(', ')}. Show those of one kind.`)
  const paper = findPresentation(kind)?.paper
  if (!paper)
    throw new Failure(
      `${ids[0]} is an evaluation of ${kind}, which has no paper tables. Tables exist for: ${listKindsByFeature('paper').join(', ')}.`,
    )
  for (const [at, { result }] of reports.entries()) {
    const fault = paper.faultOf(result)
    if (fault !== null) throw new Failure(`${ids[at]} is not an evaluation of ${kind}: ${fault}.`)
  }
  return paper
}

const policies = [...new Set(presentations.flatMap(({ paper }) => paper?.policies ?? []))]

export const tables = defineCommand<TablesCommand>({
  name: 'tables <evaluations...>',
  describe: `Show evaluations of ${listKindsByFeature('paper').join(' or ')} as the tables of its paper, with the published columns next to them`,
  example: [
    'npx stateeval tables ev_0123456789abcdef ev_fedcba9876543210 --published published.json',
    'npx stateeval tables ev_0123456789abcdef --published published.json --models GPT-4o,Llama --rows correct --format markdown',
    'npx stateeval tables ev_0123456789abcdef --columns overall,slack --format csv > by-api.csv',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--published <file>', 'the paper’s tables as JSON, for comparison')
      .option(
        '--models <list>',
        'only published models whose name contains one of these, separated by commas',
        splitNames,
      )
      .option(
        '--columns <list>',
        'only columns (models or APIs) whose heading contains one of these',
        splitNames,
      )
      .option('--rows <list>', 'only measures whose name contains one of these', splitNames)
      .addOption(
        new Option('--format <format>', 'output format').choices(Object.keys(tableForms)).default('table'),
      )
      .addOption(
        new Option('--policy <name>', 'the policy that decides the verdicts')
          .choices(policies)
          .default(policies[0]),
      ),
  run: async ({ options: { published, policy, format, models, columns, rows }, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const beside = await readPublished(published)
      const client = connectEvaluation()
      const reports = []
      for (const id of args) reports.push(await client.getEvaluationReport({ params: { id } }))
      const paper = findPaper(args, reports)
      const results = reports.map(({ result }) => result)
      const all = paper.tables(results, policy, beside, models)
      const chosenTables = choose(all, { ...(columns && { columns }), ...(rows && { rows }) })
      if (chosenTables.length === 0)
        throw new Failure(
          `No table has such columns and rows. Columns: ${[...new Set(all.flatMap(({ head }) => head.slice(1)))].join(', ')}`,
        )
      terminal.result(chosenTables, () => tableForms[format]!(chosenTables, terminal.width))
      return 0
    }),
})
