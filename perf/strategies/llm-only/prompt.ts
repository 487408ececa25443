/** What a model is asked: prompt.md, with what is to be said of a scenario. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultOfPromptSlots, fillPrompt, type Scenario } from '@stateeval/program'

const file = join(import.meta.dirname, 'prompt.md')
const slots = { must: ['documentation', 'calls', 'inputs'], may: [] }

/** How a program comes by its input values, by how the scenario's APIs are called. */
const inputs = {
  http: 'Its input values, such as the data of sessions, are constants at its beginning: `const user_variable_0 = { … }`. Requests are sent with axios to the service at the global `BASE_URL`.',
  tool: 'Its input values, such as texts and recordings, are constants at its beginning: `const user_variable_0 = …`. The documented tools are globals.',
  function:
    'Its input tensors are made at its beginning: `const user_tensor_0 = torch.ones([2, 3, 4]);`. That is no call of the documented API; besides it, the documented functions are the only ones that are called.',
} as const

/** `calls`: on every path. Throws an error that names the file where its slots are not right. */
export function promptFor(scenario: Scenario, calls: number): string {
  const text = readFileSync(file, 'utf8')
  const fault = faultOfPromptSlots(slots, text)
  if (fault !== null) throw new Error(`${file} ${fault}`)
  return fillPrompt(text, {
    documentation: scenario.documentation('javascript').trim(),
    calls: String(calls),
    inputs: inputs[scenario.operations[0]?.say.call.kind ?? 'http'],
  })
}
