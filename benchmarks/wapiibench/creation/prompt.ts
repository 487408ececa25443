/**
 * The question for tasks: texts with {{slots}}, brought by the host, so that people can read
 * and replace them.
 */
import type { Message } from '@stateeval/contracts'
import { fillPrompt, type PromptFile } from '@stateeval/program'
import type { EndpointTarget } from './api.ts'

const folder = new URL('../prompts/', import.meta.url)
export const prompts: Readonly<Record<'tasks' | 'tasks-again', PromptFile>> = {
  tasks: { folder, must: ['specification', 'endpoints'], may: ['api', 'server', 'instructions', 'count'] },
  'tasks-again': { folder, must: ['diagnosis'], may: ['endpoints', 'count'] },
}
export type PromptTexts = Readonly<Record<string, string>>

const formatTargets = (targets: readonly EndpointTarget[]) =>
  targets.map(({ name, server }) => `- ${name}${server === undefined ? '' : ` (at ${server})`}`).join('\n')

interface AskedPart {
  api: string
  server: string
  specification: string
  instructions: string
  targets: readonly EndpointTarget[]
}
export function buildWritingMessages(
  texts: PromptTexts,
  { targets, ...about }: AskedPart,
  rounds: readonly { answer: string; diagnosis: string; targets: readonly EndpointTarget[] }[],
): Message[] {
  const first = fillPrompt(texts['tasks'] ?? '', {
    ...about,
    endpoints: formatTargets(targets),
    count: String(targets.length),
  })
  return [
    { role: 'user', content: first },
    ...rounds.flatMap(({ answer, diagnosis, targets: again }): Message[] => [
      // Some endpoints refuse an empty message.
      { role: 'assistant', content: answer || '(no answer)' },
      {
        role: 'user',
        content: fillPrompt(texts['tasks-again'] ?? '', {
          diagnosis,
          endpoints: formatTargets(again),
          count: String(again.length),
        }),
      },
    ]),
  ]
}
