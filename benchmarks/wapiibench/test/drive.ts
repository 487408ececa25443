/** Leads an answer through the episode, runs what it asks for in this process, and scores it. */
import type { Candidate, EpisodeOptions, Score } from '@stateeval/contracts'
import { type Benchmark, runEpisode, oneAnswer } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'
import { wapiibench } from '../index.ts'
import { runHere } from './run-here.ts'

export const benchmarkOf = (artifacts: Readonly<Record<string, Uint8Array>>): Benchmark<WapiiCase> =>
  wapiibench({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => artifacts[hash]!,
  })

export async function candidateOf(
  benchmark: Benchmark<WapiiCase>,
  c: WapiiCase,
  answer: string,
  options: Partial<EpisodeOptions> = {},
): Promise<Candidate> {
  const { candidate } = await runEpisode(
    benchmark.episode,
    c,
    { language: 'javascript', prompting: 'direct', documentation: 'none', ...options },
    {
      reply: oneAnswer(answer),
      execute: async ({ code, inputs }) => {
        const { files } = (inputs[0]?.world ?? {}) as Pick<WapiiCase['task'], 'files'>
        return { observations: [await runHere(code, files)], runtime: 'here' }
      },
    },
  )
  return candidate
}

export async function scoreOf(
  benchmark: Benchmark<WapiiCase>,
  c: WapiiCase,
  answer: string,
  options?: Partial<EpisodeOptions>,
): Promise<Score> {
  return benchmark.score({ case: c, candidate: await candidateOf(benchmark, c, answer, options) })
}
