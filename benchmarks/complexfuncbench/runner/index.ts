/** The layouts of the benchmark: for which kind of model it is asked and read. */
import type { EpisodeOptions } from '@stateeval/contracts'
import type { DialogueRunner } from './runner.ts'
import { glm, llama, qwen } from './text.ts'
import { claude, mistral, openai } from './tools.ts'

const runners = { openai, claude, mistral, qwen, llama, glm } as const satisfies Record<
  string,
  DialogueRunner
>
type RunnerLayout = keyof typeof runners
export const layouts = Object.keys(runners) as readonly RunnerLayout[]

export const getRunner = ({ layout = layouts[0] }: Pick<EpisodeOptions, 'layout'>): DialogueRunner =>
  runners[layout as RunnerLayout]
export * from './runner.ts'
