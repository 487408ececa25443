/** The code that a model is to complete (WAPIIBench, section II-B). */
import type { Task } from '../case.ts'

/**
 * full: the model finds endpoint and arguments. arguments: method and URL are given. import: the code ends
 * with the line that requires axios; released with the benchmark, and not in the paper.
 */
export const setups = ['full', 'arguments', 'import'] as const
export type Setup = (typeof setups)[number]

export function starterOf(
  instruction: string,
  { config: { method, url } }: Pick<Task, 'config'>,
  setup: Setup,
): string {
  const head = `// ${instruction}\nconst axios = require('axios');\n`
  if (setup === 'import') return head
  return `${head}\n${setup === 'full' ? 'axios.' : `axios.${method}('${url}',`}`
}
