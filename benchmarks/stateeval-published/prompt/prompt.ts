/**
 * The prompt: one user message of introduction, documentation, instruction and the scenario's closing words,
 * in the published order. Where the data set has the whole prompt, that is taken as it is. Values of
 * variables are never shown.
 */
import type { Message } from '@stateeval/contracts'
import type { PublishedCase, ScenarioName } from '../case.ts'
import { documentation } from './documentation.ts'

const introduction = 'Write a Python program that carries out the instructions below with the documented API.'

const closing: Readonly<Record<ScenarioName, string>> = {
  session:
    'All variables of the definition, `requests` and `json` are there already: do not define or import them. Write the address of the service as {BASE_URL}; it is replaced before the program runs.',
  tensor: 'All variables of the definition and `torch` are there already: do not define or import them.',
  voice:
    'All variables of the definition and all documented functions are there already: do not define or import them.',
}

const example = '```python\nRESULT = user_variable_0\n```'

function buildPromptText({ instruction, task: { scenario, prompt } }: PublishedCase): string {
  return (
    prompt ??
    [
      introduction,
      `# API documentation\n\n${documentation[scenario].trim()}`,
      `# Instructions\n\n${instruction.trim()}`,
      `${closing[scenario]} Begin your answer with a fence, such as:\n\n${example}\n\nYour code:`,
    ].join('\n\n')
  )
}

export const buildPromptMessages = (c: PublishedCase): Message[] => [
  { role: 'user', content: buildPromptText(c) },
]
