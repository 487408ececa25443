/** Sets from a seed with the published composition, and with long contexts. */
import { expect, test } from '@jest/globals'
import { runEpisode } from '@stateeval/program'
import { countTokens } from 'gpt-tokenizer'
import { drawComposition } from '../../creation/composition.ts'
import { paddedMember } from '../../creation/padding.ts'
import { templates } from '../../creation/templates/index.ts'
import { complexfuncbench } from '../../index.ts'
import { createSeededSet } from './seeded-set.ts'

test.each([
  [20, [3, 3, 3, 3, 8]],
  [100, [15, 15, 15, 15, 40]],
  [1000, [150, 150, 150, 150, 400]],
])('of %s samples, the domains have the paper’s shares', (samples, shares) => {
  const chosen = drawComposition(templates, samples)
  const domains = ['Hotels', 'Flights', 'Car-Rental', 'Attraction', 'Cross']
  expect(domains.map((domain) => chosen.filter((one) => one.domain === domain).length)).toEqual(shares)
  const of = (domain: string) => chosen.filter((one) => one.domain === domain)
  // Averages are as close to Table 3 as the templates allow: no single template is closer.
  const paper = {
    Hotels: [3.33, 4.29],
    Flights: [3.33, 5.33],
    'Car-Rental': [2.87, 4.57],
    Attraction: [2.86, 3.6],
    Cross: [3.5, 6],
  }
  for (const [domain, [steps, calls]] of Object.entries(paper)) {
    const distance = (list: typeof chosen) => {
      const mean = (value: (one: (typeof chosen)[number]) => number) =>
        list.reduce((sum, one) => sum + value(one), 0) / list.length
      return (
        Math.abs(mean(({ turns }) => turns.length) - steps!) +
        Math.abs(mean(({ turns }) => turns.flat().length) - calls!)
      )
    }
    const alone = templates.filter((one) => one.domain === domain).map((one) => distance([one]))
    expect(distance(of(domain))).toBeLessThanOrEqual(Math.min(...alone) + 0.35)
  }
})

test('a set of the paper’s composition shows Table 3 beside its own figures, the same bytes for a seed', () => {
  const options: Parameters<typeof createSeededSet>[0] = { samples: 20, seed: 4, composition: 'paper' }
  const set = createSeededSet(options)
  expect(set.lines).toEqual(createSeededSet(options).lines)
  expect(set.about.statistics.map(({ scenario, cases }) => [scenario, cases]).sort()).toEqual([
    ['Attraction', 3],
    ['Car-Rental', 3],
    ['Cross', 8],
    ['Flights', 3],
    ['Hotels', 3],
  ])
  expect(set.about.options).toMatchObject({ composition: 'paper' })
  expect(set.readme).toMatch(/\| Cross \| 8 \| .* \| 3\.50 \| 6\.00 \|/)
})

test.each([32_000, 64_000, 128_000])(
  'dialogues are padded to about %s tokens, and their paths pass',
  async (contextTokens) => {
    const set = createSeededSet({ samples: 5, seed: 2, contextTokens })
    const benchmark = complexfuncbench({
      scenario: () => {
        throw new Error('no scenario is needed')
      },
      artifact: (hash) => set.artifacts[hash]!,
    })
    for (const line of set.lines) {
      const c = benchmark.parse(line)
      const text = new TextDecoder().decode(set.artifacts[c.artifacts![0]])
      const tokens = countTokens(text)
      expect(tokens / contextTokens).toBeGreaterThan(0.8)
      expect(tokens / contextTokens).toBeLessThan(1.3)
      // The first responses already hold some of the padding, so it cannot be cut off.
      expect(text.split(paddedMember).length).toBeGreaterThan(c.task.turns.flat().length)
      expect(c.task.live).toBeUndefined()
      const options = { prompting: 'direct' } as const
      const { candidate } = await runEpisode(benchmark.episode, c, options, {
        reply: benchmark.player(c, options)!,
      })
      expect([c.id, benchmark.score({ case: c, candidate }).verdict]).toEqual([c.id, 'success'])
    }
  },
)
