/** The layouts of the benchmark: for which kind of model it is asked and read. */
import type { EpisodeOptions } from '@stateeval/contracts'
import type { Runner } from './runner.ts'
import { glm, llama, qwen } from './text.ts'
import { claude, mistral, openai } from './tools.ts'

const runners = { openai, claude, mistral, qwen, llama, glm } as const satisfies Record<string, Runner>
export type Layout = keyof typeof runners
export const layouts = Object.keys(runners) as readonly Layout[]

export const runnerOf = ({ layout = layouts[0] }: Pick<EpisodeOptions, 'layout'>): Runner =>
  runners[layout as Layout]
export * from './runner.ts'
