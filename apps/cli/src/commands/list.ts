import { relative } from 'node:path'
import { type BenchmarkResource, formatScenarioName } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { findFolders } from '../local/folders.ts'
import { formatMinute } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { parseInteger } from '../suite/options.ts'
import { readEveryPage } from '../suite/pages.ts'
import { formatTable } from '../terminal.ts'

type ListClient = ReturnType<typeof connectEvaluation>
type ListCells = (string | number | null | undefined)[]
interface ListDefinition {
  head: string[]
  /** Each with its line of the table; of evaluations those with the tag, if one is given. */
  all: (client: ListClient, tag?: string) => Promise<{ one: unknown; cells: ListCells }[]>
}
const defineListing = <T>(
  head: string[],
  all: (client: ListClient, tag?: string) => Promise<T[]>,
  cells: (one: T) => ListCells,
): ListDefinition => ({
  head,
  all: async (client, tag) => (await all(client, tag)).map((one) => ({ one, cells: cells(one) })),
})
const sortByAge = <T extends { createdAt: string }>(all: T[]) =>
  all.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))

/** A set, under whichever ids it is stored: one that was built and then imported from its folder has two. */
type ListedSet = BenchmarkResource & { ids: string[]; folders: string[] }

async function listSets(client: ListClient): Promise<ListedSet[]> {
  const benchmarks = sortByAge(await readEveryPage((query) => client.listBenchmarks({ query })))
  const folders = await findFolders(benchmarks.flatMap(({ manifest }) => manifest?.digest ?? []))
  return [...Map.groupBy(benchmarks, ({ id, manifest }) => manifest?.digest ?? id).values()].map((same) => {
    // A built set says more of how it came to be than what was imported.
    const main = same.find(({ origin }) => origin !== 'import') ?? same[0]!
    return { ...main, ids: same.map(({ id }) => id), folders: folders.get(main.manifest?.digest ?? '') ?? [] }
  })
}

const formatLanguages = ({ manifest }: BenchmarkResource): string | undefined => {
  const languages = manifest?.options['languages']
  return Array.isArray(languages) ? languages.join(', ') : undefined
}
/** Below the working directory as it is typed there, else in full. */
function formatFolder(folder: string): string {
  const path = relative(process.cwd(), folder)
  return path === '' ? '.' : path.startsWith('..') ? folder : path
}

const listings: Readonly<Record<string, ListDefinition>> = {
  benchmarks: defineListing(
    ['benchmark', 'digest', 'status', 'kind', 'scenario', 'cases', 'languages', 'folder', 'created (UTC)'],
    listSets,
    (set) => [
      set.id,
      set.manifest?.digest.slice(0, 12),
      set.status,
      set.kind,
      set.manifest
        ? set.manifest.statistics.map(({ scenario }) => formatScenarioName(scenario)).join('\n')
        : set.build
          ? formatScenarioName(set.build.scenario)
          : set.writing?.id,
      set.manifest?.counts.kept,
      formatLanguages(set),
      set.folders.map(formatFolder).join('\n') || undefined,
      formatMinute(set.createdAt),
    ],
  ),
  evaluations: defineListing(
    ['evaluation', 'status', 'model', 'benchmark', 'passed', 'tags', 'created (UTC)'],
    async (client, tag) =>
      sortByAge(
        await readEveryPage((query) => client.listEvaluations({ query: { ...query, ...(tag && { tag }) } })),
      ),
    ({ id, status, model, benchmark, counts, tags, createdAt }) => [
      id,
      status,
      model,
      benchmark,
      `${counts.passed}/${counts.samples}`,
      tags?.join(', '),
      formatMinute(createdAt),
    ],
  ),
  models: defineListing(
    ['model', 'asked at', 'as'],
    (client) => readEveryPage((query) => client.listModels({ query })),
    ({ name, settings }) => [name, settings?.baseUrl ?? 'built in', settings?.model],
  ),
  worlds: defineListing(
    ['world', 'title', 'types', 'operations', 'callable', 'created (UTC)'],
    async (client) => sortByAge(await readEveryPage((query) => client.listWorldModels({ query }))),
    ({ digest, title, types, operations, callable, createdAt }) => [
      digest,
      title,
      types,
      operations,
      callable,
      formatMinute(createdAt),
    ],
  ),
}

export const list = defineCommand<{ last: number; tag?: string }>({
  name: 'list <what>',
  choices: Object.keys(listings),
  describe: `List ${Object.keys(listings).join(', ')}: the newest last`,
  example: 'npx stateeval list evaluations --tag nightly\nnpx stateeval list benchmarks --last 5',
  configure: (command) =>
    command
      .option('--last <n>', 'number of entries, the newest', parseInteger(1, 100_000), 20)
      .option('--tag <tag>', 'only evaluations with this tag'),
  run: async ({ options: { last, tag }, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const what = args[0]!
      const chosenListing = Object.hasOwn(listings, what) ? listings[what] : undefined
      if (!chosenListing)
        throw new Failure(`There is no list of ${what}. Available: ${Object.keys(listings).join(', ')}.`)
      if (tag !== undefined && what !== 'evaluations')
        throw new Failure(`Only evaluations have tags. Leave out --tag, or list evaluations.`)
      const all = await chosenListing.all(connectEvaluation(), tag)
      const newest = all.slice(-last)
      const more = all.length - newest.length
      terminal.result(
        newest.map(({ one }) => one),
        () =>
          all.length === 0
            ? `There are no ${what}${tag === undefined ? '' : ` with the tag ${tag}`}.`
            : formatTable(
                chosenListing.head,
                newest.map(({ cells }) => cells),
              ) +
              (more > 0 ? `\n… and ${more} before ${more === 1 ? 'it' : 'them'}: --last ${all.length}` : ''),
      )
      return 0
    }),
})
