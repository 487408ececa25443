import { readFile } from 'node:fs/promises'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { paperTables, type Published } from '../report/paper-tables.ts'
import { evaluation, talk } from '../suite/index.ts'
import { table } from '../terminal.ts'

async function readPublished(file: string | undefined): Promise<Published> {
  if (file === undefined) return { tables: {} }
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Failure(`${file} can't be read; it should hold the published tables as JSON: {"tables": …}`)
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

export const tables = defineCommand<{ published?: string; policy: string }>({
  name: 'tables <evaluations...>',
  describe: 'Show evaluations of wapiibench as the tables of its paper, with the published columns beside them',
  example: 'npx stateeval tables ev_0123456789abcdef ev_fedcba9876543210 --published published.json',
  configure: (command) =>
    command
      .option('--published <file>', 'the tables of the paper as JSON, to be shown beside')
      .addOption(new Option('--policy <name>', 'whose judgement').choices(['published', 'sound']).default('published')),
  run: async ({ options: { published, policy }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const beside = await readPublished(published)
      const client = evaluation()
      const results = []
      for (const id of args) results.push((await client.getEvaluationReport({ params: { id } })).result)
      const odd = results.findIndex(({ measures }) => !measures)
      if (odd >= 0) throw new Failure(`${args[odd]} is no evaluation of wapiibench: it has no measures`)
      const found = paperTables(results, policy, beside)
      terminal.result(found, () => found.map(({ title, head, rows }) => `${title}\n${table(head, rows)}`).join('\n\n'))
      return 0
    }),
})
