import type { BenchmarkResource, BuildRequest } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode } from '../command.ts'
import { download } from '../suite/download.ts'
import { writeFolder } from '../suite/folder.ts'
import { type AgentCommand, agentOptions, agentsOf } from '../suite/agent-options.ts'
import { evaluation, talk } from '../suite/index.ts'
import { languageList, languagesOf } from '../suite/languages.ts'
import { integer, programOptions } from '../suite/options.ts'
import { watch } from '../suite/watch.ts'
import { table } from '../terminal.ts'

interface BuildCommand extends Omit<BuildRequest, 'scenario' | 'translator' | 'agents'>, AgentCommand {
  scenario: string
  out?: string
}

const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2))

/** How the set came to be and what it is like, as the paper's Table I shows it. */
function describe({ id, manifest }: BenchmarkResource, out?: string): string {
  if (!manifest) return id
  const { counts, filtered, statistics } = manifest
  const sections = [`Benchmark ${id}: ${counts.generated} programs generated, ${counts.passed} passed every filter, ${counts.kept} kept.`]
  if (filtered.length > 0)
    sections.push(
      table(
        ['filtered in', 'because', 'programs'],
        filtered.map((f) => [f.phase, f.reason, f.count]),
      ),
    )
  for (const set of statistics) {
    const rows = Object.entries(set.metrics).map(([name, { mean, min, max }]) => [
      name.replaceAll('_', ' '),
      number(mean),
      number(min),
      number(max),
    ])
    const coverage = set.atc === undefined ? '' : `, adjacent transition coverage ${number(set.atc)}`
    const title = `${set.scenario}: ${set.cases} cases, ${set.branches} with an if/else, ${set.apis} APIs${coverage}`
    sections.push(`${title}\n${table(['per case', 'mean', 'least', 'most'], rows)}`)
  }
  sections.push(
    out
      ? `Written to ${out}. Next: npx stateeval evaluate --benchmark ${out} --model reference`
      : `Next: npx stateeval evaluate --benchmark ${id} --model reference`,
  )
  return sections.join('\n\n')
}

export const build = defineCommand<BuildCommand>({
  name: 'build',
  describe: 'Build a benchmark: programs, oracles, verified instructions',
  example: [
    'npx stateeval build --scenario session-service --programs 60 --keep 40 --seed 1 --out benchmark/',
    'npx stateeval build --scenario session-service --translator agents --model qwen --out benchmark/',
  ].join('\n'),
  configure: (command) =>
    agentOptions(programOptions(command.requiredOption('--scenario <id>', 'the scenario, or all')))
      .option('--programs <n>', 'programs to generate', integer(1, 100_000), 60)
      .option('--keep <n>', 'cases to keep of those that pass every filter', integer(1, 100_000), 40)
      .addOption(new Option('--translator <name>', 'who writes the instructions').choices(['template', 'agents']).default('template'))
      .option(
        '--languages <list>',
        'of the reference code, all of whose runs must agree: javascript, python or both (default: those that can be run here)',
        languageList,
      )
      .option('--out <folder>', 'write the benchmark folder there'),
  run: async ({ options: { out, ...options }, terminal, signal }) =>
    talk(async (): Promise<ExitCode> => {
      const { scenario, programs, keep, seed, length, controlFlow, strategy, translator } = options
      const spoken = options.languages ?? (await languagesOf(scenario))
      terminal.step(
        spoken
          ? `Reference code in ${spoken.join(' and ')}.`
          : 'What languages can be run can’t be asked from here: the service’s default is taken; --languages says others.',
      )
      const agents = agentsOf(options)
      const client = evaluation()
      const created = await client.createBenchmark({
        body: {
          build: {
            scenario,
            programs,
            keep,
            seed,
            length,
            controlFlow,
            strategy,
            translator,
            ...(spoken && { languages: spoken }),
            ...(agents && { agents }),
          },
        },
      })
      const built = await watch('build', created, () => client.getBenchmark({ params: { id: created.id } }), terminal, signal)
      if (out && built.manifest) await writeFolder(out, await download(built.id, built.manifest))
      terminal.result(built, () => describe(built, out))
      return 0
    }),
})
