import type { BenchmarkResource, BuildRequest, WritingRequest } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { serviceUrl } from '../local/home.ts'
import { download } from '../suite/download.ts'
import { checkTarget, writeFolder } from '../suite/folder.ts'
import { type AgentCommand, agentOptions, agentsOf } from '../suite/agent-options.ts'
import { evaluation, talk } from '../suite/index.ts'
import { languageList } from '../suite/languages.ts'
import { budgetOf, declareModel, describesModel, importedRecording, modelOptions } from '../suite/model-options.ts'
import { integer, programOptions } from '../suite/options.ts'
import { type SpecificationCommand, specificationOptions, writingRequest } from '../suite/specification-options.ts'
import { watch } from '../suite/watch.ts'
import { table, type Terminal } from '../terminal.ts'

interface BuildCommand extends Omit<BuildRequest, 'scenario' | 'translator' | 'agents' | 'seed'>, AgentCommand, SpecificationCommand {
  scenario?: string
  scenarioOption?: Record<string, number>
  out?: string
}

const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2))

/** How the set came to be and what it is like, as the paper's Table I shows it. */
function describe({ id, manifest }: BenchmarkResource, out?: string): string {
  if (!manifest) return id
  const { counts, filtered, statistics } = manifest
  const written = counts.filteredShare
  const sections = [
    written === undefined
      ? `Benchmark ${id}: ${counts.generated} programs generated, ${counts.passed} passed every filter, ${counts.kept} kept.`
      : `Benchmark ${id}: ${counts.generated} endpoints asked for, ${counts.kept} tasks passed every check, ${(100 * written).toFixed(1)} % filtered.`,
  ]
  if (filtered.length > 0)
    sections.push(
      table(
        ['filtered in', 'because', written === undefined ? 'programs' : 'endpoints'],
        filtered.map((f) => [f.phase, f.reason, f.count]),
      ),
    )
  for (const set of written === undefined ? statistics : []) {
    const rows = Object.entries(set.metrics).map(([name, { mean, min, max }]) => [
      name.replaceAll('_', ' '),
      number(mean),
      number(min),
      number(max),
    ])
    const ofFeasible = set.atcFeasible === undefined ? '' : ` of all pairs, ${number(set.atcFeasible)} of the ${set.feasible} feasible ones`
    const coverage = set.atc === undefined ? '' : `, adjacent transition coverage ${number(set.atc)}${ofFeasible}`
    const title = `${set.scenario}: ${set.cases} cases, ${set.branches} with an if/else, ${set.apis} APIs${coverage}`
    sections.push(`${title}\n${table(['per case', 'mean', 'least', 'most'], rows)}`)
  }
  if (written !== undefined) sections.push(`People accept, edit and reject tasks under /v1/benchmarks/${id}/reviews.`)
  sections.push(
    out
      ? `Written to ${out}. Next: npx stateeval evaluate --benchmark ${out} --model reference`
      : `Next: npx stateeval evaluate --benchmark ${id} --model reference`,
  )
  return sections.join('\n\n')
}

async function buildRequest(scenario: string, options: BuildCommand, terminal: Terminal): Promise<BuildRequest> {
  const { programs, keep, seed, length, controlFlow, strategy, translator } = options
  const foreign = [options.api, options.server, options.paths]
  if (foreign.some((one) => one !== undefined)) throw new Failure('--api, --server and --paths are for --spec')
  const ofModels = [options.budgetUsd, options.budgetTokens, options.fresh]
  if (translator !== 'agents' && ofModels.some((one) => one !== undefined))
    throw new Failure('budgets and --fresh are for models, and --translator template asks none')
  const agents = agentsOf(options)
  if (agents) await declareModel(options, terminal)
  else if (describesModel(options)) throw new Failure('--base-url and the like describe a model, and none is asked')
  return {
    scenario,
    programs,
    keep,
    length,
    controlFlow,
    strategy,
    translator,
    ...(seed !== undefined && { seed }),
    ...(options.scenarioOption && { scenarioOptions: options.scenarioOption }),
    ...(options.languages && { languages: options.languages }),
    ...(agents && { agents }),
  }
}

function specificationRequest(spec: string, options: BuildCommand, terminal: Terminal): Promise<WritingRequest> {
  const { translator, evaluatorModel, coderModel, tries } = options
  if (translator === 'agents' || (evaluatorModel ?? coderModel ?? tries) !== undefined)
    throw new Failure('--translator, --evaluator-model, --coder-model and --tries are for --scenario')
  return writingRequest(spec, options, terminal)
}

export const build = defineCommand<BuildCommand>({
  name: 'build',
  describe: 'Build a benchmark: programs, oracles, verified instructions; or tasks for an OpenAPI specification',
  example: [
    'npx stateeval build --scenario session-service --programs 60 --keep 40 --seed 1 --out benchmark/',
    'npx stateeval build --scenario session-service --translator agents --model qwen --budget-tokens 2000000 --out benchmark/',
    'npx stateeval build --spec shop.yaml --model qwen --out shop-benchmark/',
    'npx stateeval build --spec shop.yaml --paths /orders,/carts --model qwen --base-url http://127.0.0.1:8000/v1 --model-id qwen3 --budget-tokens 2000000',
  ].join('\n'),
  configure: (command) =>
    modelOptions(specificationOptions(agentOptions(programOptions(command.option('--scenario <id>', 'the scenario, or all')))))
      .option('--programs <n>', 'programs to generate', integer(1, 100_000), 60)
      .option('--keep <n>', 'cases to keep of those that pass every filter', integer(1, 100_000), 40)
      .addOption(new Option('--translator <name>', 'who writes the instructions').choices(['template', 'agents']).default('template'))
      .option(
        '--languages <list>',
        'of the reference code, all of whose runs must agree: javascript, python or both (default: those that can be run here)',
        languageList,
      )
      .option('--out <folder>', 'write the benchmark folder there'),
  run: async ({ options, terminal, signal }) =>
    talk(async (): Promise<ExitCode> => {
      const { out, scenario, spec } = options
      if ((scenario === undefined) === (spec === undefined))
        throw new Failure('name what to build from: --scenario ID (or all) for programs, or --spec FILE for the tasks of an API')
      // Before anything is asked of models: it would be paid for and then not written.
      if (out) await checkTarget(out)
      const client = evaluation()
      const created =
        spec === undefined
          ? await client.createBenchmark({
              body: {
                build: await buildRequest(scenario!, options, terminal),
                ...budgetOf(options),
                ...(options.fresh && { fresh: true }),
                ...(options.recording !== undefined && { recording: await importedRecording(options.recording) }),
              },
            })
          : await client.writeBenchmark({ body: await specificationRequest(spec, options, terminal) })
      if (created.build) terminal.step(`Reference code in ${created.build.languages.join(' and ')}.`)
      const built = await watch(
        {
          title: 'build',
          first: created,
          get: () => client.getBenchmark({ params: { id: created.id } }),
          later: `curl -s ${serviceUrl('evaluation')}/v1/benchmarks/${created.id}`,
        },
        terminal,
        signal,
      )
      if (out && built.manifest) await writeFolder(out, await download(built.id, built.manifest))
      terminal.result(built, () => describe(built, out))
      return 0
    }),
})
