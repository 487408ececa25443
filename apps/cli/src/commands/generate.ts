import type { Generation, GenerationRequest, Program } from '@stateeval/contracts'
import { defineCommand, type ExitCode } from '../command.ts'
import { serviceUrl } from '../local/home.ts'
import { talk, traceGeneration } from '../suite/index.ts'
import { integer, programOptions } from '../suite/options.ts'
import { everyPage } from '../suite/pages.ts'
import { watch } from '../suite/watch.ts'

interface GenerateCommand {
  scenario: string
  count: number
  length: number
  seed: number | string
  strategy: NonNullable<GenerationRequest['strategy']>
  controlFlow: boolean
  scenarioOption?: Record<string, number>
}

/** The programs as code, in requests of a bounded size. */
async function emit(programs: readonly Program[]): Promise<string[]> {
  const code: string[] = []
  for (let from = 0; from < programs.length; from += 100) {
    const body = { language: 'javascript' as const, programs: programs.slice(from, from + 100) }
    code.push(...(await traceGeneration().emitPrograms({ body })).code)
  }
  return code
}

const initial = ({ variables }: Program) =>
  variables.map(({ name, values }) => `// ${name} = ${values.map((value) => JSON.stringify(value)).join(' or ')}\n`).join('')

function describe({ statistics, options }: Generation, programs: readonly Program[], code: readonly string[]): string {
  const listing = programs.map(
    (program, i) => `// program ${i + 1} of ${programs.length}: ${program.id.slice(0, 12)}\n${initial(program)}${code[i]}`,
  )
  if (!statistics) return listing.join('\n')
  const dropped = Object.entries(statistics.dropped).map(([reason, n]) => `${n} × ${reason.replaceAll('_', ' ')}`)
  const summary = [
    `// ${statistics.programs} programs (${options.strategy}, seed ${options.seed}), ${statistics.branches} with an if/else;`,
    `// ${statistics.adjacentPairs} adjacent pairs of ${statistics.apis} APIs (coverage ${statistics.atc.toFixed(2)}${statistics.atcFeasible === undefined ? '' : `, of the ${statistics.feasible} feasible ${statistics.atcFeasible.toFixed(2)}`}), ${statistics.transitionPairs} pairs linked by a state`,
    ...(dropped.length > 0 ? [`// drawn again: ${dropped.join(', ')}`] : []),
  ]
  return [...listing, summary.join('\n')].join('\n')
}

export const generate = defineCommand<GenerateCommand>({
  name: 'generate',
  describe: 'Generate programs from a scenario’s state machine and print them',
  example: 'npx stateeval generate --scenario session-service --count 5 --length 5 --seed 1 --strategy planned',
  configure: (command) =>
    programOptions(command.requiredOption('--scenario <id>', 'the scenario').option('--count <n>', 'programs', integer(1, 10_000), 5)),
  run: async ({ options: { scenario, count, length, seed, strategy, controlFlow, scenarioOption }, terminal, signal }) =>
    talk(async (): Promise<ExitCode> => {
      const client = traceGeneration()
      const created = await client.createGeneration({
        body: { scenario, count, length, seed, strategy, controlFlow, ...(scenarioOption && { scenarioOptions: scenarioOption }) },
      })
      const done = await watch(
        {
          title: 'generation',
          first: created,
          get: () => client.getGeneration({ params: { id: created.id } }),
          later: `curl -s ${serviceUrl('trace-generation')}/v1/generations/${created.id}/programs`,
        },
        terminal,
        signal,
      )
      const programs = await everyPage((query) => traceGeneration().listGenerationPrograms({ params: { id: done.id }, query }))
      const code = terminal.json ? [] : await emit(programs)
      terminal.result({ programs, statistics: done.statistics }, () => describe(done, programs, code))
      return 0
    }),
})
