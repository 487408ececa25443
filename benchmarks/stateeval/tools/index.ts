/** Cases answered by calling tools one by one, in place of writing a program. */
import type { Case, EpisodeOptions, ExecutionInput, JsonValue } from '@stateeval/contracts'
import {
  listArtifacts,
  type Benchmark,
  type BenchmarkHost,
  type FirstPrompt,
  resolveTensors,
} from '@stateeval/program'
import { makeToolEpisode } from './episode.ts'
import { isToolMode } from './mode.ts'
import { makeToolPlayer } from './player.ts'
import { buildToolPrompt } from './prompt.ts'
import { resultTool, createResultTool } from './result-tool.ts'

export { limits, findRefusedOption, toolVerdicts, isToolMode } from './mode.ts'
export { scoreTools } from './score.ts'
export { computeModeMeasures, toolMeasures } from './measures.ts'

type ModeParts = Pick<Benchmark<Case>, 'episode' | 'player'>

/** Episode and player by the mode. */
export function chooseByMode(host: BenchmarkHost, program: ModeParts): ModeParts {
  const episode = makeToolEpisode(host)
  const player = makeToolPlayer(host)
  const of = (options: EpisodeOptions) => (isToolMode(options) ? episode : program.episode)
  return {
    episode: {
      start: (c, options) => of(options).start(c, options),
      resume: (c, options, ...rest) => of(options).resume(c, options, ...rest),
    },
    player: (c, options, mutant) =>
      isToolMode(options) ? player(c, mutant) : program.player(c, options, mutant),
  }
}

/** Makes the first messages of the dialogues about each input, without a world. */
export const makePrompts =
  (host: BenchmarkHost) =>
  (c: Case, options: EpisodeOptions): FirstPrompt[] | null => {
    if (!isToolMode(options)) return null
    const scenario = host.scenario(c.scenario)
    const tools = [...(scenario.tools ?? []), createResultTool(c)]
    return c.oracles.map(({ input }, at) => {
      const variables = showVariables(input, host)
      const shown = scenario.handles?.show(variables) ?? variables
      return { input: at, messages: buildToolPrompt(c, scenario, shown), tools, ends: resultTool }
    })
  }

function showVariables(
  { variables }: ExecutionInput,
  host: BenchmarkHost,
): Readonly<Record<string, JsonValue>> {
  const values = variables as Readonly<Record<string, JsonValue>>
  if (listArtifacts(values).length === 0) return values
  const resolved = resolveTensors(values, (hash) => host.artifact?.(hash))
  if (!resolved.ok) throw new Error(resolved.says)
  return resolved.value
}
