import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInModels, type EvaluationRequest } from '@stateeval/contracts'
import { presentations } from '@stateeval/benchmarks/presentations'
import type { PaperRequest, PaperReproduction } from '@stateeval/program/presentation'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { buildFiles, formatExhibits } from '../paper/files.ts'
import { runPaper } from '../paper/run.ts'
import { createSuiteRuns } from '../paper/suite-runs.ts'
import { connectEvaluation, connectUpload, runRequests, connectTraceGeneration } from '../suite/index.ts'
import { listKindsByFeature, findPresentation } from '../suite/kinds.ts'
import { type BudgetCommand, readBudget, addBudgetOptions } from '../suite/model-options.ts'
import { parseInteger, parseNames, parseSeed } from '../suite/options.ts'
import { readEveryPage } from '../suite/pages.ts'
import { readDataset } from './import.ts'
import { readPublished } from './tables.ts'

interface PaperCommand
  extends
    BudgetCommand,
    Omit<PaperRequest, 'exhibits' | 'baselines' | 'scenarios' | 'published' | 'layouts'> {
  kind: string
  tables: string[]
  baselineModel: string[]
  scenarios: string[]
  language?: NonNullable<EvaluationRequest['language']>
  dataset?: string
  published?: string
  layout: string[]
  out?: string
}

const kinds = listKindsByFeature('reproduction')
const [firstKind = ''] = kinds
/** 'stateeval: 1, 2, fig3; wapiibench: full'. */
const listExhibits = () =>
  presentations
    .flatMap(({ kind, reproduction }) =>
      reproduction ? [`${kind}: ${reproduction.exhibits.map(({ id }) => id).join(', ')}`] : [],
    )
    .join('; ')

/** Selects the entries of `selection` in the order of `all`; all of them where none is named. */
function selectChosen(what: string, selection: readonly string[], all: readonly string[]): string[] {
  const unknown = selection.find((one) => !all.includes(one))
  if (unknown !== undefined)
    throw new Failure(`There is no ${what} ${unknown}. Available: ${all.join(', ')}.`)
  return selection.length === 0 ? [...all] : all.filter((one) => selection.includes(one))
}

/** `MODEL=LAYOUT`, or a layout for all models. */
function parseLayouts(list: readonly string[], models: readonly string[]): Record<string, string> {
  const layouts: Record<string, string> = {}
  for (const entry of list) {
    const [model = '', layout] = entry.split('=')
    if (layout === undefined) for (const one of models) layouts[one] ??= model
    else if (models.includes(model)) layouts[model] = layout
    else throw new Failure(`--layout names ${model}, which is not among --models: ${models.join(', ')}.`)
  }
  return layouts
}

async function buildPaperRequest(
  reproduction: PaperReproduction,
  options: PaperCommand,
): Promise<PaperRequest> {
  const { baselineModel, programs, keep, samples, repeats, language } = options
  const models = options.models.length === 0 ? builtInModels : options.models
  if (keep > programs)
    throw new Failure(`--keep is ${keep} of only ${programs} programs. Raise --programs, or keep fewer.`)
  const ids = reproduction.exhibits.map(({ id }) => id)
  const exhibits = selectChosen('table', options.tables, ids)
  // A missing model is reported before anything runs.
  for (const name of new Set([...models, ...baselineModel]))
    await connectEvaluation().getModel({ params: { name } })
  if (!reproduction.ofScenarios && options.scenarios.length > 0)
    throw new Failure(
      `--scenarios is for papers whose sets are built of scenarios; ${options.kind} has published data.`,
    )
  if (reproduction.ofScenarios && options.layout.length > 0)
    throw new Failure(`--layout is for papers that ask models in several formats; ${options.kind} has one.`)
  const scenarioIds = reproduction.ofScenarios
    ? (await readEveryPage((query) => connectTraceGeneration().listScenarios({ query }))).map(({ id }) => id)
    : []
  const scenarios = selectChosen('scenario', options.scenarios, scenarioIds)
  const counts = { programs, keep, samples, repeats, seed: options.seed }
  const published = await readPublished(options.published)
  const whom = { exhibits, models, baselines: baselineModel, scenarios, published }
  const layouts = parseLayouts(options.layout, models)
  return { ...whom, ...counts, layouts, ...(language && { language }) }
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${folder} cannot be made (${error.code ?? error.message}). Choose another --out.`)
  })
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
}

export const paper = defineCommand<PaperCommand>({
  name: 'paper',
  describe: `Make the tables and figures of a benchmark's paper (${kinds.join(', ')}) for any models`,
  example: [
    'npx stateeval paper --models reference,mutant --out paper/',
    'npx stateeval paper --models qwen,gpt --samples 1 --budget-usd 20 --out paper/   # models named by: npx stateeval model NAME',
    'npx stateeval paper --tables fig3 --baseline-model gpt   # coverage of the generator against programs that gpt writes',
    'npx stateeval paper --models qwen --scenarios session-service --tables fig4,fig5 --programs 6 --keep 4',
    'npx stateeval paper --kind wapiibench --dataset datasets/wapiibench --models qwen --published published.json',
  ].join('\n'),
  configure: (command) =>
    addBudgetOptions(
      command
        .addOption(
          new Option('--kind <name>', 'the benchmark whose paper to reproduce')
            .choices(kinds)
            .default(firstKind),
        )
        .option(
          '--models <list>',
          'models under test, separated by commas: named models, reference, mutant (the last two)',
          parseNames,
          [],
        )
        .option('--baseline-model <list>', 'models that write the paper’s baseline', parseNames, [])
        .option('--scenarios <list>', 'only these scenarios (default: all)', parseNames, [])
        .option(
          '--tables <list>',
          `only these tables and figures (default: all); ${listExhibits()}`,
          parseNames,
          [],
        )
        .option('--programs <n>', 'programs to generate for each scenario', parseInteger(1, 10_000), 60)
        .option('--keep <n>', 'cases to keep for each scenario', parseInteger(1, 10_000), 40)
        .option('--samples <n>', 'answers for each case', parseInteger(1, 1000), 1)
        .option('--repeats <n>', 'seeds over which curves are averaged', parseInteger(1, 1000), 5)
        .option('--seed <seed>', 'the same seed gives the same sets', parseSeed, 1)
        .addOption(
          new Option('--language <name>', 'language of the programs (javascript)').choices([
            'javascript',
            'python',
          ]),
        )
        .option('--dataset <folder>', 'the folder of published data, for kinds that evaluate it')
        .option(
          '--layout <list>',
          'the model family that prompts are formatted for: one for all models, or MODEL=LAYOUT for each (default: by the model’s name)',
          parseNames,
          [],
        )
        .option(
          '--published <file>',
          'the published tables as JSON, for comparison, for kinds that have them',
        )
        .option('--out <folder>', 'write the tables (Markdown, CSV) and figures (SVG) to this folder'),
    ),
  run: async ({ options, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const { kind, out, dataset } = options
      const reproduction = findPresentation(kind)!.reproduction!
      const request = await buildPaperRequest(reproduction, options)
      const importDataset = async () => {
        if (dataset === undefined)
          throw new Failure(`${kind} evaluates published data. Name its folder: --dataset FOLDER`)
        const files = await readDataset(kind, dataset, terminal)
        return (await connectUpload('import', terminal).importDataset({ body: { kind, files } })).id
      }
      const making = { terminal, signal, importDataset, ...readBudget(options) }
      const { results, ids } = await runPaper(reproduction, request, createSuiteRuns(making))
      const exhibits = reproduction.show(request, results)
      if (out !== undefined) await write(out, buildFiles(reproduction.paper, exhibits))
      terminal.result({ paper: reproduction.paper, exhibits, runs: ids }, () =>
        [formatExhibits(exhibits, terminal.width), ...(out === undefined ? [] : [`Written to ${out}.`])].join(
          '\n\n',
        ),
      )
      return 0
    }),
})
