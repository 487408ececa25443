import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { moment } from '../report/format.ts'
import { evaluation, talk } from '../suite/index.ts'
import { integer } from '../suite/options.ts'
import { everyPage } from '../suite/pages.ts'
import { table } from '../terminal.ts'

type Client = ReturnType<typeof evaluation>
type Cells = (string | number | null | undefined)[]
interface Listing {
  head: string[]
  /** Each with its line of the table. */
  all: (client: Client) => Promise<{ one: unknown; cells: Cells }[]>
}
const listing = <T>(head: string[], all: (client: Client) => Promise<T[]>, cells: (one: T) => Cells): Listing => ({
  head,
  all: async (client) => (await all(client)).map((one) => ({ one, cells: cells(one) })),
})
const byAge = <T extends { createdAt: string }>(all: T[]) => all.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))

const listings: Readonly<Record<string, Listing>> = {
  benchmarks: listing(
    ['benchmark', 'status', 'kind', 'cases', 'created (UTC)'],
    async (client) => byAge(await everyPage((query) => client.listBenchmarks({ query }))),
    ({ id, status, manifest, createdAt }) => [id, status, manifest?.benchmark, manifest?.counts.kept, moment(createdAt)],
  ),
  evaluations: listing(
    ['evaluation', 'status', 'model', 'benchmark', 'passed', 'created (UTC)'],
    async (client) => byAge(await everyPage((query) => client.listEvaluations({ query }))),
    ({ id, status, model, benchmark, counts, createdAt }) => [
      id,
      status,
      model,
      benchmark,
      `${counts.passed}/${counts.samples}`,
      moment(createdAt),
    ],
  ),
  models: listing(
    ['model', 'asked at', 'as'],
    (client) => everyPage((query) => client.listModels({ query })),
    ({ name, settings }) => [name, settings?.baseUrl ?? 'built in', settings?.model],
  ),
}

export const list = defineCommand<{ last: number }>({
  name: 'list <what>',
  describe: `List ${Object.keys(listings).join(', ')}: the newest last`,
  example: 'npx stateeval list evaluations\nnpx stateeval list benchmarks --last 5',
  configure: (command) => command.option('--last <n>', 'so many of them, the newest', integer(1, 100_000), 20),
  run: async ({ options: { last }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const what = args[0]!
      const found = listings[what]
      if (!found) throw new Failure(`there is no list of ${what}; there are ${Object.keys(listings).join(', ')}`)
      const all = await found.all(evaluation())
      const shown = all.slice(-last)
      const more = all.length - shown.length
      terminal.result(
        shown.map(({ one }) => one),
        () =>
          all.length === 0
            ? `There are no ${what}.`
            : table(
                found.head,
                shown.map(({ cells }) => cells),
              ) + (more > 0 ? `\n… and ${more} before them: --last ${all.length}` : ''),
      )
      return 0
    }),
})
