/** The code that a model is to complete (WAPIIBench, section II-B). */
import type { Task } from '../case.ts'

/** full: the model finds endpoint and arguments. arguments: method and URL are given. */
export const setups = ['full', 'arguments'] as const
export type Setup = (typeof setups)[number]

export function starterOf(
  instruction: string,
  { config: { method, url } }: Pick<Task, 'config'>,
  setup: Setup,
): string {
  const head = `// ${instruction}\nconst axios = require('axios');\n\n`
  return head + (setup === 'full' ? 'axios.' : `axios.${method}('${url}',`)
}
