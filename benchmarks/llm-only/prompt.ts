/**
 * The question to a model (section IV-B of the StateEval paper): to write a program from the documentation
 * alone, under the generator's constraints. The paper doesn't print its prompt. Every question is the same
 * text: it mentions no earlier programs, as that would be another strategy.
 */
import type { Scenario } from '@stateeval/program'

/** How a program gets its input values, by how the scenario's APIs are called. */
const inputs = {
  http: 'Its input values, such as the data of sessions, are constants at its beginning: `const user_variable_0 = { … }`. Requests are sent with axios to the service at the global `BASE_URL`.',
  tool: 'Its input values, such as texts and recordings, are constants at its beginning: `const user_variable_0 = …`. The documented tools are globals.',
  function:
    'Its input tensors are made at its beginning: `const user_tensor_0 = torch.ones([2, 3, 4]);`. That is no call of the documented API; besides it, the documented functions are the only ones that are called.',
} as const

/** `calls`: on every path. */
export const buildLlmOnlyPrompt = (scenario: Scenario, calls: number): string => `\
Write a JavaScript program that tests how well a documented API is used in sequence.

## API documentation

${scenario.documentation('javascript').trim()}

## The program

- It is a script for Node.js. \`await\` works at the top level.
- It makes exactly ${calls} calls of the documented API on every execution path. A call may use what the calls before it gave, and should make sense after them.
- It may have one if/else at most, whose condition looks at something that a call gave. With it, each of both paths makes ${calls} calls, those before it included.
- It has no loops, no recursion, and no callbacks that call the API for each element of a list.
- It has no randomness and doesn't look at the time: each run does the same.
- ${inputs[scenario.operations[0]?.say.call.kind ?? 'http']}
- It doesn't catch errors and declares no stand-ins for the API.
- Every path ends by setting \`RESULT\` to an object that holds what the calls gave: \`RESULT = { … }\`.

## Answer

Answer with the program in one fenced code block that begins with \`\`\`javascript, and nothing else.
`
