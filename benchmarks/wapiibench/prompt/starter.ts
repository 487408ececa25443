/** The code that a model is to complete (WAPIIBench, section II-B). */
import type { WapiiTask } from '../case.ts'

/**
 * full: the model finds endpoint and arguments. arguments: method and URL are given. import: the code ends
 * with the line that requires axios; released with the benchmark, and not in the paper.
 */
export const setups = ['full', 'arguments', 'import'] as const
export type StarterSetup = (typeof setups)[number]

export function buildStarter(
  instruction: string,
  { config: { method, url } }: Pick<WapiiTask, 'config'>,
  setup: StarterSetup,
): string {
  const head = `// ${instruction}\nconst axios = require('axios');\n`
  if (setup === 'import') return head
  return `${head}\n${setup === 'full' ? 'axios.' : `axios.${method}('${url}',`}`
}
