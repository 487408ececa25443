import { defineCommand, type ExitCode } from '../command.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'

export const recording = defineCommand({
  name: 'recording <id>',
  describe: 'Print the models’ answers of an evaluation or a build, to repeat it without the models',
  example:
    'npx stateeval recording ev_0123456789abcdef > answers.recording\nnpx stateeval evaluate --benchmark benchmark/ --recording answers.recording\nnpx stateeval evaluate --benchmark benchmark/ --model other --responses answers.recording\nnpx stateeval recording bm_0123456789abcdef > tasks.recording',
  run: async ({ args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const [id] = args as [string]
      const client = connectEvaluation()
      const text = id.startsWith('bm_')
        ? await client.getBenchmarkRecording({ params: { id } })
        : await client.getEvaluationRecording({ params: { id } })
      terminal.result(
        text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])),
        () => text.replace(/\n$/, ''),
      )
      return 0
    }),
})
