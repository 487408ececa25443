import type {
  BenchmarkResource,
  BuildRequest,
  EvaluationRequest,
  SeededSet,
  WritingRequest,
} from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { readDataset } from './import.ts'
import { setText } from '../report/set.ts'
import { planText } from '../report/specification-plan.ts'
import { save } from '../suite/download.ts'
import { checkTarget } from '../suite/folder.ts'
import { type AgentCommand, addAgentOptions, readAgents } from '../suite/agent-options.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { listKindsBySource } from '../suite/kinds.ts'
import { parseLanguages } from '../suite/languages.ts'
import {
  readBudget,
  declareModel,
  hasModelDescription,
  importRecordingFile,
  addModelOptions,
} from '../suite/model-options.ts'
import { addProgramOptions, createProviderOption, parseInteger, pickDifficulty } from '../suite/options.ts'
import {
  type SpecificationCommand,
  addSpecificationOptions,
  buildWritingRequest,
} from '../suite/specification-options.ts'
import { readEveryPage } from '../suite/pages.ts'
import { watch } from '../suite/watch.ts'
import { formatWritingEffort } from '../suite/writing-effort.ts'
import type { CommandTerminal } from '../terminal.ts'
import { pushWorld } from '../world/store.ts'

interface BuildCommand
  extends
    Omit<BuildRequest, 'scenario' | 'translator' | 'agents' | 'seed'>,
    AgentCommand,
    SpecificationCommand {
  scenario?: string
  world?: string
  samples?: number
  composition?: 'paper'
  contextTokens?: number
  argumentTokens?: number
  generalise?: string
  kind?: string
  scenarioOption?: Record<string, number>
  out?: string
  provider?: EvaluationRequest['provider']
}

/** The set, what writing it took where a model did, and what to do with it. */
async function describe(benchmark: BenchmarkResource, out?: string): Promise<string> {
  const { id, manifest, writing } = benchmark
  if (!manifest) return id
  const reviews = writing
    ? await readEveryPage((query) => connectEvaluation().listReviews({ params: { id }, query }))
    : []
  return [
    ...setText(benchmark),
    ...formatWritingEffort(id, reviews),
    ...(writing || benchmark.build?.translator === 'agents'
      ? [`Review what the model wrote: npx stateeval review ${id}`]
      : []),
    `${out ? `Written to ${out}. ` : ''}Next: npx stateeval evaluate --benchmark ${out ?? id} --model reference`,
  ].join('\n\n')
}

async function buildRequest(
  scenario: string,
  options: BuildCommand,
  terminal: CommandTerminal,
): Promise<BuildRequest> {
  const { programs, keep, seed, length, apis, controlFlow, secondWorlds, strategy, translator } = options
  const foreign = [options.api, options.server, options.paths]
  if (foreign.some((one) => one !== undefined))
    throw new Failure('--api, --server and --paths are for --spec')
  const ofModels = [options.budgetUsd, options.budgetTokens, options.fresh]
  if (translator !== 'agents' && ofModels.some((one) => one !== undefined))
    throw new Failure('--translator template calls no model; leave out budgets and --fresh')
  const agents = readAgents(options)
  if (agents) await declareModel(options, terminal)
  else if (hasModelDescription(options))
    throw new Failure('the build calls no model; leave out --base-url and the other model options')
  return {
    scenario,
    programs,
    keep,
    ...(length !== undefined && { length }),
    ...pickDifficulty(options),
    ...(apis && { apis }),
    controlFlow,
    secondWorlds,
    strategy,
    translator,
    ...(seed !== undefined && { seed }),
    ...(options.scenarioOption && { scenarioOptions: options.scenarioOption }),
    ...(options.languages && { languages: options.languages }),
    ...(agents && { agents }),
  }
}

function buildSpecificationRequest(
  source: Parameters<typeof buildWritingRequest>[0],
  options: BuildCommand,
  terminal: CommandTerminal,
): Promise<WritingRequest> {
  const { translator, evaluatorModel, coderModel, tries } = options
  if (translator === 'agents' || (evaluatorModel ?? coderModel ?? tries) !== undefined)
    throw new Failure('--translator, --evaluator-model, --coder-model and --tries are for --scenario')
  return buildWritingRequest(source, options, terminal)
}

function findSeededKind({ kind = listKindsBySource('seed')[0] }: BuildCommand): string {
  if (kind === undefined) throw new Failure('No installed benchmark can be built from a seed.')
  return kind
}

/** The samples that are to be generalised, of one file or all files of a folder. */
const readGeneralised = async (path: string, options: BuildCommand, terminal: CommandTerminal) =>
  Object.values(await readDataset(findSeededKind(options), path, terminal)).join('\n')

async function buildSeededRequest(
  samples: number,
  options: BuildCommand,
  terminal: CommandTerminal,
): Promise<SeededSet> {
  const { seed, composition, contextTokens, argumentTokens, generalise } = options
  return {
    kind: findSeededKind(options),
    samples,
    ...(seed !== undefined && { seed }),
    ...(composition && { composition }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(argumentTokens !== undefined && { argumentTokens }),
    ...(generalise !== undefined && { generalise: await readGeneralised(generalise, options, terminal) }),
  }
}

/** Asks for the build that the options describe. */
async function begin(options: BuildCommand, terminal: CommandTerminal): Promise<BenchmarkResource> {
  const client = connectEvaluation()
  const { kind, world, spec, samples, model, recording, fresh, generalise } = options
  if (spec !== undefined)
    return client.writeBenchmark({ body: await buildSpecificationRequest({ file: spec }, options, terminal) })
  if (samples !== undefined) {
    if ((model ?? recording) === undefined)
      return client.makeBenchmark({ body: await buildSeededRequest(samples, options, terminal) })
    if ((options.composition ?? options.contextTokens ?? options.argumentTokens) !== undefined)
      throw new Failure(
        '--composition, --context-tokens and --argument-tokens are for samples without a model',
      )
    const lines = generalise && (await readGeneralised(generalise, options, terminal))
    const source = { samples, ...(lines && { generalise: lines }) }
    return client.writeBenchmark({ body: await buildSpecificationRequest(source, options, terminal) })
  }
  const scenario = world === undefined ? options.scenario! : (await pushWorld(world)).scenario
  return client.createBenchmark({
    body: {
      ...(kind !== undefined && { kind }),
      build: await buildRequest(scenario, options, terminal),
      ...(options.provider && { provider: options.provider }),
      ...readBudget(options),
      ...(fresh && { fresh: true }),
      ...(recording !== undefined && { recording: await importRecordingFile(recording) }),
    },
  })
}

/** 'stateeval from a scenario; wapiibench from a specification (the first by default)'. */
function listBuiltKinds(): string {
  const of = (kinds: readonly string[], source: string) =>
    kinds.length === 0 ? [] : [`${kinds.join(', ')} from ${source}`]
  const all = [
    ...of(listKindsBySource('programs'), 'a scenario'),
    ...of(listKindsBySource('specification'), 'a specification'),
    ...of(listKindsBySource('seed'), 'a seed'),
  ]
  return `${all.join('; ')} (the first by default)`
}

export const build = defineCommand<BuildCommand>({
  name: 'build',
  describe:
    'Build a benchmark: programs, oracles, verified instructions; tasks for an OpenAPI specification; or samples from a seed',
  example: [
    'npx stateeval build --scenario session-service --programs 60 --keep 40 --seed 1 --out benchmark/',
    'npx stateeval build --scenario session-service --translator agents --model qwen --budget-tokens 2000000 --out benchmark/',
    'npx stateeval build --scenario all --difficulty 5 --out hard-benchmark/',
    'npx stateeval build --world shop.world.json --programs 60 --keep 40 --out shop-benchmark/',
    'npx stateeval build --spec shop.yaml --dry-run',
    'npx stateeval build --spec shop.yaml --model qwen --out shop-benchmark/',
    'npx stateeval build --samples 100 --seed 7 --out travel-benchmark/',
    'npx stateeval build --samples 20 --seed 7 --model qwen --out written-benchmark/',
    'npx stateeval build --samples 100 --generalise own-samples.jsonl --out generalised/',
    'npx stateeval build --spec shop.yaml --paths /orders,/carts --model qwen --base-url http://127.0.0.1:8000/v1 --model-id qwen3 --budget-tokens 2000000',
  ].join('\n'),
  configure: (command) =>
    addModelOptions(
      addSpecificationOptions(
        addAgentOptions(
          addProgramOptions(
            command
              .option('--scenario <id>', 'the scenario, or all')
              .option(
                '--world <file>',
                'instead of a scenario: a model of an API (npx stateeval world infer)',
              ),
          ),
        ),
      ),
    )
      .option('--kind <name>', `kind of benchmark: ${listBuiltKinds()}`)
      .option(
        '--samples <n>',
        'instead of a scenario: number of samples to make from the seed, for kinds that need nothing else; with --model, a model writes their queries',
        parseInteger(1, 1000),
      )
      .addOption(
        new Option(
          '--composition <name>',
          'for --samples: shares of domains, steps and calls of the published set',
        ).choices(['paper']),
      )
      .option(
        '--context-tokens <n>',
        'for --samples: pad the responses, so that a dialogue has about so many tokens, such as 32000, 64000 or 128000',
        parseInteger(1000, 200_000),
      )
      .option(
        '--argument-tokens <n>',
        'for --samples: give the tokens and keys that calls take from responses about so many tokens, such as 500',
        parseInteger(50, 2000),
      )
      .option(
        '--generalise <path>',
        'for --samples: give other values to these samples, a file or folder in the published format, instead of the kind’s own',
      )
      .option('--programs <n>', 'programs to generate', parseInteger(1, 100_000), 60)
      .option(
        '--keep <n>',
        'number of cases to keep from those that pass every filter',
        parseInteger(1, 100_000),
        40,
      )
      .addOption(
        new Option('--translator <name>', 'who writes the instructions')
          .choices(['template', 'agents'])
          .default('template'),
      )
      .option(
        '--languages <list>',
        'languages of the reference code: javascript, python or both; all runs must agree (default: those that run here)',
        parseLanguages,
      )
      .addOption(createProviderOption())
      .option('--out <folder>', 'write the benchmark to this folder'),
  run: async ({ options, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const { out, scenario, world, spec, samples } = options
      const sources = Object.entries({ scenario, world, spec, samples }).filter(
        ([, one]) => one !== undefined,
      )
      if (sources.length !== 1)
        throw new Failure(
          `${sources.length === 0 ? 'Name the source' : `${sources.map(([name]) => `--${name}`).join(' and ')} exclude each other. Keep one`}: --scenario ID (or all) for programs, --world FILE for programs of a modelled API, --spec FILE for the tasks of an API, or --samples N for samples from a seed.`,
        )
      // Before anything is asked of models: it would be paid for and then not written.
      if (out) await checkTarget(out)
      const client = connectEvaluation()
      if (options.dryRun) {
        if (spec === undefined) throw new Failure('--dry-run is for --spec FILE')
        const body = await buildSpecificationRequest({ file: spec }, options, terminal)
        const plan = await client.planBenchmark({ body })
        terminal.result(plan, () => planText(plan))
        return 0
      }
      const job = await begin(options, terminal)
      terminal.notice(`Build ${job.id}`)
      if (job.build) terminal.step(`Reference code in ${job.build.languages.join(' and ')}.`)
      const benchmark = await watch(
        {
          title: 'build',
          first: job,
          get: () => client.getBenchmark({ params: { id: job.id } }),
          later: `npx stateeval show ${job.id}${out ? ` --out ${out}` : ''}`,
        },
        terminal,
        signal,
      )
      await save(benchmark, out, terminal)
      const text = terminal.json ? '' : await describe(benchmark, out)
      terminal.result(benchmark, () => text)
      return 0
    }),
})
