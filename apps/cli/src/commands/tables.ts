import { readFile } from 'node:fs/promises'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { ofModels, type PaperTable, paperTables, type Published } from '../report/paper-tables.ts'
import { chosen, tableForms } from '../report/table-forms.ts'
import { evaluation, talk } from '../suite/index.ts'

interface TablesCommand {
  published?: string
  policy: string
  format: string
  models?: string[]
  columns?: string[]
  rows?: string[]
}

async function readPublished(file: string | undefined): Promise<Published> {
  if (file === undefined) return { tables: {} }
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Failure(`${file} cannot be read; it should hold the published tables as JSON: {"tables": …}`)
  })
  const found = parsed(text)
  if (typeof found?.tables !== 'object' || found.tables === null)
    throw new Failure(
      `${file} holds no published tables; they are JSON: {"tables": {"III full completion": {"models": […], "rows": {…}}, …}}`,
    )
  return found as Published
}

function parsed(text: string): { tables?: unknown } | null {
  try {
    return JSON.parse(text) as { tables?: unknown } | null
  } catch {
    return null
  }
}

const listed = (text: string) => text.split(',').map((one) => one.trim())

export const tables = defineCommand<TablesCommand>({
  name: 'tables <evaluations...>',
  describe:
    'Show evaluations of wapiibench as the tables of its paper, with the published columns beside them',
  example: [
    'npx stateeval tables ev_0123456789abcdef ev_fedcba9876543210 --published published.json',
    'npx stateeval tables ev_0123456789abcdef --published published.json --models GPT-4o,Llama --rows correct --format markdown',
    'npx stateeval tables ev_0123456789abcdef --columns overall,slack --format csv > by-api.csv',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--published <file>', 'the tables of the paper as JSON, to be shown beside')
      .option(
        '--models <list>',
        'of the published models only those with one of these in their name, separated by commas',
        listed,
      )
      .option('--columns <list>', 'only columns with one of these in their head: models, or APIs', listed)
      .option('--rows <list>', 'only measures with one of these in their name', listed)
      .addOption(
        new Option('--format <format>', 'how to print them')
          .choices(Object.keys(tableForms))
          .default('table'),
      )
      .addOption(
        new Option('--policy <name>', 'whose judgement').choices(['published', 'sound']).default('published'),
      ),
  run: async ({ options: { published, policy, format, models, columns, rows }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const beside = ofModels(await readPublished(published), models)
      const client = evaluation()
      const results = []
      for (const id of args) results.push((await client.getEvaluationReport({ params: { id } })).result)
      const odd = results.findIndex(({ measures }) => !measures)
      if (odd >= 0) throw new Failure(`${args[odd]} is no evaluation of wapiibench: it has no measures.`)
      const all = paperTables(results, policy, beside)
      const found: PaperTable[] = chosen(all, { ...(columns && { columns }), ...(rows && { rows }) })
      if (found.length === 0)
        throw new Failure(
          `No table has such columns and rows. Columns: ${[...new Set(all.flatMap(({ head }) => head.slice(1)))].join(', ')}`,
        )
      terminal.result(found, () => tableForms[format]!(found, terminal.width))
      return 0
    }),
})
