import type { Generation, GenerationRequest, Program } from '@stateeval/contracts'
import { defineCommand, type ExitCode } from '../command.ts'
import { formatShare, formatPlural } from '../report/format.ts'
import { runRequests, connectTraceGeneration } from '../suite/index.ts'
import {
  addProgramOptions,
  type DifficultyCommand,
  formatDifficulty,
  parseInteger,
  pickDifficulty,
} from '../suite/options.ts'
import { readEveryPage } from '../suite/pages.ts'
import { watch } from '../suite/watch.ts'

interface GenerateCommand extends DifficultyCommand {
  scenario: string
  count: number
  length?: number
  seed: number | string
  strategy: NonNullable<GenerationRequest['strategy']>
  controlFlow: boolean
  secondWorlds: boolean
  observable: boolean
  apis?: string[]
  scenarioOption?: Record<string, number>
}

/** The programs as code, in requests of a bounded size. */
async function emit(programs: readonly Program[]): Promise<string[]> {
  const code: string[] = []
  for (let from = 0; from < programs.length; from += 100) {
    const body = { language: 'javascript' as const, programs: programs.slice(from, from + 100) }
    code.push(...(await connectTraceGeneration().emitPrograms({ body })).code)
  }
  return code
}

const formatInitialValues = ({ variables }: Program) =>
  variables
    .map(({ name, values }) => `// ${name} = ${values.map((value) => JSON.stringify(value)).join(' or ')}\n`)
    .join('')

function describe(
  { statistics, options }: Generation,
  programs: readonly Program[],
  code: readonly string[],
): string {
  const listing = programs.map(
    (program, i) =>
      `// program ${i + 1} of ${programs.length}: ${program.id.slice(0, 12)}\n${formatInitialValues(program)}${code[i]}`,
  )
  if (!statistics) return listing.join('\n')
  const drops = Object.entries(statistics.dropped).map(
    ([reason, n]) => `${n} × ${reason.replaceAll('_', ' ')}`,
  )
  const summary = [
    `// ${formatPlural(statistics.programs, 'program')} (${options.strategy}, seed ${options.seed}), ${statistics.branches} with an if/else;`,
    `// ${formatPlural(statistics.adjacentPairs, 'adjacent pair')} of ${formatPlural(statistics.apis, 'API')} (${formatShare(statistics.atc)} of all pairs${statistics.atcFeasible === undefined ? '' : `, ${formatShare(statistics.atcFeasible)} of the ${statistics.feasible} feasible ones`}), ${formatPlural(statistics.transitionPairs, 'pair')} linked by a state`,
    ...(drops.length > 0 ? [`// drawn again: ${drops.join(', ')}`] : []),
  ]
  return [...listing, summary.join('\n')].join('\n')
}

export const generate = defineCommand<GenerateCommand>({
  name: 'generate',
  describe: 'Generate programs from a scenario’s state machine and print them',
  example: [
    'npx stateeval generate --scenario session-service --count 5 --length 5 --seed 1 --strategy planned',
    'npx stateeval generate --scenario session-service --apis getSession,fetchSessions',
    'npx stateeval generate --scenario elevenlabs-mcp --difficulty 5 --branches 0',
  ].join('\n'),
  configure: (command) =>
    addProgramOptions(
      command
        .requiredOption('--scenario <id>', 'the scenario')
        .option('--count <n>', 'number of programs', parseInteger(1, 10_000), 5),
    ).option(
      '--no-observable',
      'also print programs in which a mistake, such as a missing call, does not change any result',
    ),
  run: async ({
    options: {
      scenario,
      count,
      length,
      seed,
      strategy,
      controlFlow,
      secondWorlds,
      observable,
      apis,
      scenarioOption,
      ...difficulty
    },
    terminal,
    signal,
  }) =>
    runRequests(async (): Promise<ExitCode> => {
      const client = connectTraceGeneration()
      const job = await client.createGeneration({
        body: {
          scenario,
          count,
          ...(length !== undefined && { length }),
          seed,
          strategy,
          controlFlow,
          secondWorlds,
          observable,
          ...pickDifficulty(difficulty),
          ...(apis && { apis }),
          ...(scenarioOption && { scenarioOptions: scenarioOption }),
        },
      })
      const generation = await watch(
        {
          title: 'generation',
          first: job,
          get: () => client.getGeneration({ params: { id: job.id } }),
          // The same options give the same programs.
          later: [
            `npx stateeval generate --scenario ${scenario} --count ${count} --seed ${seed} --strategy ${strategy}`,
            ...(controlFlow ? [] : ['--no-control-flow']),
            ...(secondWorlds ? [] : ['--no-second-worlds']),
            ...(observable ? [] : ['--no-observable']),
            ...(length === undefined ? [] : [`--length ${length}`]),
            ...formatDifficulty(difficulty),
            ...(apis ? [`--apis ${apis.join(',')}`] : []),
            ...Object.entries(scenarioOption ?? {}).map(
              ([name, value]) => `--scenario-option ${name}=${value}`,
            ),
          ].join(' '),
        },
        terminal,
        signal,
      )
      const programs = await readEveryPage((query) =>
        connectTraceGeneration().listGenerationPrograms({ params: { id: generation.id }, query }),
      )
      const code = terminal.json ? [] : await emit(programs)
      terminal.result({ programs, statistics: generation.statistics }, () =>
        describe(generation, programs, code),
      )
      return 0
    }),
})
