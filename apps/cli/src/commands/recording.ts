import { defineCommand, type ExitCode } from '../command.ts'
import { evaluation, talk } from '../suite/index.ts'

export const recording = defineCommand({
  name: 'recording <evaluation>',
  describe: 'Print a model’s answers, to repeat an evaluation without the model',
  example:
    'npx stateeval recording ev_0123456789abcdef > answers.recording\nnpx stateeval evaluate --benchmark benchmark/ --recording answers.recording',
  run: async ({ args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const text = await evaluation().getEvaluationRecording({ params: { id: args[0]! } })
      terminal.result(
        text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])),
        () => text.replace(/\n$/, ''),
      )
      return 0
    }),
})
