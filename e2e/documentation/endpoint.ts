/** What the endpoint of the documentation's suite answers. */
import type { Script, ScriptedRequest } from '@stateeval/testkit'
import { answerOf, taskFor, wantedIn } from '../../benchmarks/wapiibench/test/creation/tasks.ts'

export const vectorsModel = 'vectors'

/** Programs that were shown, by what their instructions say of them. */
const programs = new Map<string, string>()

/** The instruction for the program of a question: it names the program and the keys of its RESULT. */
function instructionFor(question: string): string {
  const [, code = ''] = /```javascript\n([^]*?)\n```(?:\n|$)(?![^]*```javascript)/.exec(question) ?? []
  const [, keys = ''] = /its keys are (.*?), each named exactly/.exec(question) ?? []
  const name = `procedure number ${programs.size + 1}.`
  programs.set(name, code)
  return `Carry out ${name} Set RESULT to its ${keys}.`
}

/**
 * Tasks for an API are written, and instructions for programs, with code that solves them. Every other
 * question gets the same program, which is wrong.
 */
export function answerTo({ model, messages }: ScriptedRequest): Script {
  const first = messages[0]?.content ?? ''
  if (model === vectorsModel) return { say: '[1, 0, 0]' }
  if (first.startsWith('You write test data for a benchmark: tasks'))
    return { say: answerOf(wantedIn(messages.at(-1)!.content).map(taskFor)) }
  if (first.startsWith('You write tasks for a coding assistant')) return { say: instructionFor(first) }
  if (first.startsWith('You judge instructions')) return { say: '<OK>' }
  const asked = messages.map(({ content }) => content).join('\n')
  const [name = ''] = /procedure number \d+\./.exec(asked) ?? []
  return { say: `\`\`\`javascript\n${programs.get(name) ?? 'RESULT = {}'}\n\`\`\`` }
}
