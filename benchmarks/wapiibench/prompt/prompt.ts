/**
 * The prompt: the paper's Listing 5 with the starter code, laid out for three kinds of models (README,
 * `--layout`).
 */
import type { Message } from '@stateeval/contracts'

/**
 * chat: instruction-tuned, behind a chat API. base: plain completion. instruct: instruction-tuned, answers
 * with prose around.
 */
export const layouts = ['chat', 'base', 'instruct'] as const
export type PromptLayout = (typeof layouts)[number]

const buildInstruction = (
  api: string,
  extra: string,
) => `You are an AI programming assistant that helps users write API requests. You are given a comment that describes what the user wants to achieve and are supposed to implement it using the Axios library in JavaScript. For this, write a single call to Axios (with syntax 'axios.method(url[, config])') that does exactly what was described in the comment.
* Make sure to include all parameters in 'config' that are required to solve the given task but don't include
* any unnecessary parameters. Insert all values directly into the place where they belong, rather than using
* intermediate variables. If the API requires some form of authentication, use '<key>' as a placeholder for
* API keys or '<token>' as a placeholder for authorization tokens, respectively. If a request body requires a
* media type other than 'text/json', explicitly set the 'Content-Type' header to the respective type, and
* Axios will automatically serialize the request body accordingly.

Your next task is about the ${api} API. Complete the following code snippet${extra}:

\`\`\`javascript
`

/** The whole text: documentation where some is wanted, instruction, starter code. */
export function buildWapiiPromptText(
  api: string,
  starter: string,
  layout: PromptLayout,
  documentation: string | null,
): string {
  const extra = layout === 'instruct' ? 'without any explanations' : ''
  return `${documentation === null ? '' : `${documentation}\n\n\n`}${buildInstruction(api, extra)}${starter}`
}

/** For chat models the text is cut after its first sentence: the system message, then the user's. */
export function buildLayoutMessages(
  text: string,
  layout: PromptLayout,
  documentation: string | null,
): Message[] {
  if (layout !== 'chat') return [{ role: 'user', content: text }]
  // Documentation stands before the instruction, and the cut is the instruction's.
  const context = documentation === null ? '' : `${documentation}\n\n\n`
  const task = text.slice(context.length)
  const at = task.indexOf('. ')
  return [
    { role: 'system', content: task.slice(0, at + 1) },
    { role: 'user', content: context + task.slice(at + 2) },
  ]
}
