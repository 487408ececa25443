import type { ProbeFinding, Model, ModelProbe } from '@stateeval/contracts'
import { defineCommand, type ExitCode } from '../command.ts'
import { groupDigits, formatPlural, splitWords } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { declareModel, type EndpointCommand, addEndpointOptions } from '../suite/model-options.ts'
import { formatTable } from '../terminal.ts'

interface ShownModelCommand extends EndpointCommand {
  probe?: boolean
}

/** Formats a finding in words: yes or no, how, its value; or why it is unknown. */
function formatModelFinding(finding: ProbeFinding): string {
  if (finding.found === 'unknown') return `unknown: ${finding.reason}`
  const { found, how, value } = finding
  return [found, how, value].filter((part) => part !== undefined).join(', ')
}

function probeText({ at, findings, usage, costUsd }: ModelProbe): string {
  const remedies = findings.flatMap((finding) => ('remedy' in finding && finding.remedy) || [])
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(4)}`
  const tokens = usage.promptTokens + usage.completionTokens
  return [
    `Probed at ${at}: ${formatPlural(usage.requests, 'question')}, ${groupDigits(tokens)} tokens${cost}`,
    formatTable(
      ['finding', 'found'],
      findings.map((finding) => [splitWords(finding.id), formatModelFinding(finding)]),
    ),
    remedies.length === 0 ? 'Nothing is off.' : remedies.map((one) => `- ${one}`).join('\n'),
  ].join('\n\n')
}

function formatModel({ name, settings, probe }: Model): string {
  if (!settings) return `${name} is built in: it has no settings.`
  const rows = Object.entries(settings).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return [
    formatTable(['setting', 'value'], rows),
    probe ? probeText(probe) : `Not probed yet with these settings: npx stateeval model ${name} --probe`,
  ].join('\n\n')
}

export const model = defineCommand<ShownModelCommand>({
  name: 'model <name>',
  describe: 'Name a model at an OpenAI-compatible endpoint, change its settings, probe it, or show it',
  example: [
    'npx stateeval model mine --base-url http://127.0.0.1:8000/v1 --model-id qwen3-coder',
    'npx stateeval model mine --key-env STATEEVAL_KEY_MINE',
    'npx stateeval model mine --probe   # what its endpoint does, and which options mend what is off',
    'npx stateeval model mine   # shows its settings, and what the last probe found',
  ].join('\n'),
  configure: (command) =>
    addEndpointOptions(command).option(
      '--probe',
      'ask the endpoint a dozen cheap questions, and report what it does and which options mend what is off',
    ),
  run: async ({ options, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const name = args[0]!
      await declareModel({ ...options, model: name }, terminal)
      const params = { name }
      const client = connectEvaluation()
      const resource = await (options.probe ? client.probeModel({ params }) : client.getModel({ params }))
      terminal.result(resource, () => formatModel(resource))
      return 0
    }),
})
