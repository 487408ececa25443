import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatGate } from '../report/gate.ts'
import { askGate, type GateCommand, addGateOptions, writeSummaries } from '../suite/gate.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'

export const gate = defineCommand<GateCommand>({
  name: 'gate <evaluation>',
  describe: 'Check an evaluation that has succeeded against thresholds and a baseline',
  example: [
    'npx stateeval gate ev_0123456789abcdef --gate 80%',
    'npx stateeval gate ev_0123456789abcdef --baseline ev_fedcba9876543210 --max-regression 2pt --significant --markdown summary.md',
  ].join('\n'),
  configure: addGateOptions,
  run: async ({ options, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const id = args[0]!
      const verdict = await askGate(id, options)
      if (!verdict)
        throw new Failure(
          'The gate has no threshold. Add --gate 80%, --baseline EVALUATION or --max-unscored.',
        )
      const report = await connectEvaluation().getEvaluationReport({ params: { id } })
      await writeSummaries(options, report, verdict)
      terminal.result(verdict, () => formatGate(verdict))
      return verdict.passed ? 0 : 1
    }),
})
