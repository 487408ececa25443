import { defineCommand, type ExitCode } from '../command.ts'
import { evaluation, talk } from '../suite/index.ts'
import { declareModel, type EndpointCommand, endpointOptions } from '../suite/model-options.ts'
import { table } from '../terminal.ts'

export const model = defineCommand<EndpointCommand>({
  name: 'model <name>',
  describe: 'Name a model at an OpenAI-compatible endpoint, change its settings, or show them',
  example: [
    'npx stateeval model mine --base-url http://127.0.0.1:8000/v1 --model-id qwen3-coder',
    'npx stateeval model mine --key-env STATEEVAL_KEY_MINE',
    'npx stateeval model mine   # shows its settings',
  ].join('\n'),
  configure: endpointOptions,
  run: async ({ options, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const name = args[0]!
      await declareModel({ ...options, model: name }, terminal)
      const resource = await evaluation().getModel({ params: { name } })
      terminal.result(resource, () =>
        resource.settings
          ? table(
              ['setting', 'value'],
              Object.entries(resource.settings).map(([key, value]) => [
                key,
                typeof value === 'string' ? value : JSON.stringify(value),
              ]),
            )
          : `${name} is built in: it has no settings.`,
      )
      return 0
    }),
})
