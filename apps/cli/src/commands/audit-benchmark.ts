import { type CheatingAttempt, attempts, sandboxAttempts, themes } from '@stateeval/attacks/attempts'
import type { EvaluationRequest } from '@stateeval/contracts'
import { Option } from 'commander'
import { getAuditExitCode, runAudit } from '../audit/audit.ts'
import { formatAudit } from '../audit/text.ts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { resolveBenchmarkId } from '../suite/benchmark.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { formatTimeLimits } from '../suite/kinds.ts'
import { parseInteger, parseJudges, parseNames, parseSeconds } from '../suite/options.ts'

interface AuditBenchmarkCommand {
  attempts?: string[]
  sandbox?: boolean
  samples: number
  each?: boolean
  language?: EvaluationRequest['language']
  mode?: EvaluationRequest['mode']
  setup?: string
  policy?: string
  judge?: EvaluationRequest['judge']
  user?: string
  embeddings?: string
  timeLimit?: number
}

/** Attempts whose names begin with one of these; of hostile programs in the sandbox only if asked for. */
function selectAttempts({ attempts: wanted, sandbox }: AuditBenchmarkCommand): readonly CheatingAttempt[] {
  const all = [...attempts, ...(sandbox ? sandboxAttempts : [])]
  if (!wanted) return all
  const unknown = wanted.find(
    (name) => ![...all, ...sandboxAttempts].some((one) => one.name.startsWith(name)),
  )
  if (unknown !== undefined)
    throw new Failure(`There is no attempt ${unknown}. Themes: ${Object.keys(themes).join(', ')}.`)
  return [...attempts, ...sandboxAttempts].filter(({ name }) => wanted.some((one) => name.startsWith(one)))
}

/** Members of every evaluation's request, where they were given. */
const passedOn = ['policy', 'judge', 'user', 'embeddings', 'timeLimit'] as const

export const auditBenchmark = defineCommand<AuditBenchmarkCommand>({
  name: 'audit-benchmark <benchmark>',
  describe:
    'Try known ways to cheat on a benchmark: none may score above its honest rate, and none may avoid being scored',
  example: [
    'npx stateeval audit-benchmark benchmark/',
    'npx stateeval audit-benchmark bm_0123456789abcdef --attempts "opting out,result channel" --samples 10',
    'npx stateeval audit-benchmark benchmark/ --language python --sandbox --each',
    'npx stateeval audit-benchmark benchmark/ --judge gpt --json',
  ].join('\n'),
  configure: (command) =>
    command
      .option(
        '--attempts <list>',
        `only attempts whose names begin with one of these; themes: ${Object.keys(themes).join(', ')}`,
        parseNames,
      )
      .option('--sandbox', 'also try the hostile programs that the sandbox is tested with (a few minutes)')
      .option(
        '--samples <n>',
        'answers that each attempt is made on; every second one is wrong',
        parseInteger(1, 100),
        2,
      )
      .option('--each', 'print a row for each attempt instead of each theme')
      .addOption(
        new Option(
          '--language <language>',
          'only programs in this language; default: every language, setup and mode of the benchmark',
        ).choices(['javascript', 'python']),
      )
      .addOption(new Option('--mode <mode>', 'only answers of this mode').choices(['program', 'tools']))
      .option('--setup <name>', 'only this setup of the benchmark')
      .option('--policy <name>', 'the policy that decides the verdicts, for benchmarks with several')
      .option('--judge <name>', 'a named model that judges; several as PART=NAME,PART=NAME', parseJudges)
      .option('--user <name>', 'a named model that plays the user')
      .option('--embeddings <name>', 'a named model with api embeddings')
      .option(
        '--time-limit <seconds>',
        `how long the code of an answer may run on each input (${formatTimeLimits()})`,
        parseSeconds(0.1, 600),
      ),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const list = selectAttempts(options)
      const benchmark = await resolveBenchmarkId(args[0]!, terminal, '<benchmark>')
      const { manifest } = await connectEvaluation().getBenchmark({ params: { id: benchmark } })
      if (!manifest)
        throw new Failure(
          `the benchmark ${benchmark} is not ready. Watch it with: npx stateeval show ${benchmark}`,
        )
      const { language, mode, setup } = options
      const report = await runAudit(
        { benchmark, manifest, terminal, signal },
        {
          attempts: list,
          samples: options.samples,
          way: {
            ...(language && { language }),
            ...(mode && { mode }),
            ...(setup !== undefined && { setup }),
          },
          request: Object.fromEntries(
            passedOn.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
          ),
        },
      )
      terminal.result(report, () => formatAudit(report, options.each === true, terminal.colors))
      return getAuditExitCode(report)
    }),
})
