/** The messages before a model's first call: how the task is carried out, the task, and its variables. */
import type { Case, JsonValue, Message, Transcript } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { describeReadings } from '../prompt/rules.ts'
import { resultTool } from './result-tool.ts'

type ShownVariables = Readonly<Record<string, JsonValue>>

const describeToolRules = (scenario: Scenario) => [
  'The functions are the only way to learn and to change anything. A call takes effect at once; several calls of one reply are carried out in their order. An answer that begins with `Error:` changed nothing: correct the call.',
  'Ids are known from answers only: never make one up.',
  'The task may speak of variables and of local changes to them: you hold these values yourself, and pass what the task says. Work out conditions yourself, too.',
  'Do what the task says, in its order, and nothing else.',
  `When everything is done, call \`${resultTool}\` with exactly the keys that the task names for RESULT on the path that was taken.`,
  ...(scenario.handles ? [scenario.handles.about] : []),
  ...describeReadings(scenario),
]

const fence = '```json\n'

/** `variables`: as the world shows them. */
export const buildToolPrompt = (c: Case, scenario: Scenario, variables: ShownVariables): Message[] => [
  {
    role: 'system',
    content: [
      `You carry out a task by calling the functions of the ${scenario.title.toLowerCase()}.`,
      describeToolRules(scenario)
        .map((rule) => `- ${rule}`)
        .join('\n'),
    ].join('\n\n'),
  },
  {
    role: 'user',
    content: `## Task\n\n${c.instruction.trim()}\n\n## Variables\n\n${fence}${JSON.stringify(variables)}\n\`\`\``,
  },
]

/** The variables that a dialogue shows: who replays a reference knows no more than a model. */
export function readShownVariables({ messages }: Transcript): ShownVariables {
  const content = messages.find(({ role }) => role === 'user')?.content ?? ''
  const text = content.slice(content.lastIndexOf(fence) + fence.length, content.lastIndexOf('\n```'))
  return JSON.parse(text) as ShownVariables
}
