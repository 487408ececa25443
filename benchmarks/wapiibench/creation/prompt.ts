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
export type Prompts = Readonly<Record<string, string>>

const listed = (targets: readonly EndpointTarget[]) =>
  targets.map(({ name, server }) => `- ${name}${server === undefined ? '' : ` (at ${server})`}`).join('\n')

interface Asked {
  api: string
  server: string
  specification: string
  instructions: string
  targets: readonly EndpointTarget[]
}
export function messagesFor(
  texts: Prompts,
  { targets, ...about }: Asked,
  rounds: readonly { answer: string; diagnosis: string; targets: readonly EndpointTarget[] }[],
): Message[] {
  const first = fillPrompt(texts['tasks'] ?? '', {
    ...about,
    endpoints: listed(targets),
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
          endpoints: listed(again),
          count: String(again.length),
        }),
      },
    ]),
  ]
}
