/**
 * The reference passes every case under both policies and in every layout, and both judge it alike; mutants
 * do not pass.
 */
import { expect, test } from '@jest/globals'
import { createRng, runEpisode } from '@stateeval/program'
import { policies } from '../dialogue/converse.ts'
import { layouts } from '../runner/index.ts'
import { hereWith, sampleFiles } from './here.ts'

const { benchmark, cases } = hereWith(sampleFiles)

test.each(layouts.flatMap((layout) => policies.map((policy) => [layout, policy] as const)))(
  'as %s under %s',
  async (layout, policy) => {
    for (const c of cases) {
      const options = { prompting: 'direct', layout, policy } as const
      const player = benchmark.player(c, options)!
      const { candidate, notScored } = await runEpisode(benchmark.episode, c, options, { reply: player })
      expect([c.id, notScored]).toEqual([c.id, undefined])
      const score = benchmark.score({ case: c, candidate, policy })
      const total = c.task.turns.flat().length
      expect([c.id, score]).toMatchObject([
        c.id,
        {
          passed: true,
          verdict: 'success',
          metrics: { correct_calls: total, total_calls: total },
          policies: { published: { verdict: 'success' }, sound: { verdict: 'success' } },
        },
      ])
    }
  },
)

test.each(policies)('mutants fail under %s', async (policy) => {
  const survivors: string[] = []
  let count = 0
  for (const c of cases.filter(({ id }) => id !== 'Hotels-3'))
    for (let seed = 0; seed < 20; seed++) {
      const options = { prompting: 'direct', policy } as const
      const mutation = benchmark.mutants!.mutate(c, options, createRng(`${c.id}/${seed}`))!
      const player = benchmark.player(c, options, mutation.mutant)!
      const { candidate, notScored } = await runEpisode(benchmark.episode, c, options, { reply: player })
      const score = benchmark.score({ case: c, candidate, policy })
      count++
      if (score.passed && !notScored) survivors.push(`${c.id} ${mutation.operator} ${mutation.site}`)
    }
  expect(count).toBeGreaterThan(200)
  // What is left out equals its default, which is no mistake: under `sound` only.
  expect(survivors.filter((one) => !(policy === 'sound' && one.includes('drop_parameter')))).toEqual([])
})
