/** Leads an answer through the episode, runs what it asks for in this process, and scores it. */
import type { Candidate, EpisodeOptions, Score } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
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
  let turn = benchmark.episode.start(c, { language: 'javascript', prompting: 'direct', documentation: 'none', ...options })
  for (;;) {
    if ('done' in turn) return turn.done
    const { state, need } = turn
    turn =
      need.kind === 'reply'
        ? benchmark.episode.resume(state, { kind: 'reply', text: answer })
        : benchmark.episode.resume(state, {
            kind: 'executed',
            result: { observations: [await runHere(need.request.code)], runtime: 'here' },
          })
  }
}

export async function scoreOf(
  benchmark: Benchmark<WapiiCase>,
  c: WapiiCase,
  answer: string,
  options?: Partial<EpisodeOptions>,
): Promise<Score> {
  return benchmark.score({ case: c, candidate: await candidateOf(benchmark, c, answer, options) })
}
