/** Cases answered by calling tools one by one, in place of writing a program. */
import type { Case, EpisodeOptions, ExecutionInput, JsonValue } from '@stateeval/contracts'
import {
  artifactsIn,
  type Benchmark,
  type BenchmarkHost,
  type FirstPrompt,
  resolveTensors,
} from '@stateeval/program'
import { makeToolEpisode } from './episode.ts'
import { usesTools } from './mode.ts'
import { makeToolPlayer } from './player.ts'
import { promptFor } from './prompt.ts'
import { resultTool, resultToolOf } from './result-tool.ts'

export { limits, refuses, toolVerdicts, usesTools } from './mode.ts'
export { scoreTools } from './score.ts'
export { toolMeasures } from './measures.ts'

type Parts = Pick<Benchmark<Case>, 'episode' | 'player'>

/** Episode and player by the mode. */
export function byMode(host: BenchmarkHost, program: Parts): Parts {
  const episode = makeToolEpisode(host)
  const player = makeToolPlayer(host)
  const of = (options: EpisodeOptions) => (usesTools(options) ? episode : program.episode)
  return {
    episode: {
      start: (c, options) => of(options).start(c, options),
      resume: (c, options, ...rest) => of(options).resume(c, options, ...rest),
    },
    player: (c, options, mutant) =>
      usesTools(options) ? player(c, mutant) : program.player(c, options, mutant),
  }
}

/** Beginnings of the dialogues about each input, told without a world. */
export const makePrompts =
  (host: BenchmarkHost) =>
  (c: Case, options: EpisodeOptions): FirstPrompt[] | null => {
    if (!usesTools(options)) return null
    const scenario = host.scenario(c.scenario)
    const tools = [...(scenario.tools ?? []), resultToolOf(c)]
    return c.oracles.map(({ input }, at) => {
      const variables = valuesOf(input, host)
      const shown = scenario.handles?.show(variables) ?? variables
      return { input: at, messages: promptFor(c, scenario, shown), tools, ends: resultTool }
    })
  }

function valuesOf({ variables }: ExecutionInput, host: BenchmarkHost): Readonly<Record<string, JsonValue>> {
  const values = variables as Readonly<Record<string, JsonValue>>
  if (artifactsIn(values).length === 0) return values
  const resolved = resolveTensors(values, (hash) => host.artifact?.(hash))
  if (!resolved.ok) throw new Error(resolved.says)
  return resolved.value
}
