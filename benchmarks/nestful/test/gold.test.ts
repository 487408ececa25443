/** Gold answers score 1.0 on every metric that a sample supports, in each setup and layout. */
import { describe, expect, test } from '@jest/globals'
import type { DatasetSet } from '@stateeval/program'
import { importNestful } from '../dataset/from-dataset.ts'
import { layouts, setups } from '../prompt/prompt.ts'
import { isUnmatchable } from '../player.ts'
import { published, publishedFiles, skipReason } from './data.ts'
import { benchmarkOf, defaults, scoreOf } from './drive.ts'
import { sampleFiles } from './sample.ts'

async function goldScores(set: DatasetSet, options: { setup?: string; layout?: string }) {
  const benchmark = benchmarkOf(set.artifacts)
  const wrong: unknown[] = []
  const supported: Record<string, number> = {}
  for (const line of set.lines) {
    const c = benchmark.parse(line)
    // What can't be matched under `published` has its reference under `sound` alone.
    const unmatchable = isUnmatchable(c)
    const player = benchmark.player(c, { ...defaults, ...options, ...(unmatchable && { policy: 'sound' }) })
    if (!player) continue
    const { policies = {} } = await scoreOf(benchmark, c, player, options)
    for (const [policy, { metrics, passed }] of Object.entries(policies)) {
      if (policy === 'published' && unmatchable) continue
      const whole = ['partial', 'full', 'win', 'pass_mock', 'graph_partial', 'graph_full']
      const entries = whole.flatMap((name) =>
        metrics[name] === undefined ? [] : [[name, metrics[name]] as const],
      )
      for (const [name] of entries) supported[`${policy} ${name}`] = (supported[`${policy} ${name}`] ?? 0) + 1
      if (
        !passed ||
        entries.some(([, value]) => value !== 1) ||
        metrics['not_run'] ||
        metrics['parsing_errors']
      )
        wrong.push([c.id, policy, Object.fromEntries(entries), policies[policy]!.differences])
    }
  }
  return { wrong: wrong.slice(0, 5), supported }
}

const combinations = [
  ...layouts.map((layout) => ({ layout })),
  ...setups.slice(1, 4).map((setup) => ({ setup, layout: 'llama' })),
]
test.each(combinations)('of the sample: %j', async (options) => {
  const { wrong, supported } = await goldScores(importNestful(sampleFiles()), options)
  expect(wrong).toEqual([])
  if (options.layout !== 'toolace') expect(supported['sound full']).toBeGreaterThan(5)
})

describe('of the published data', () => {
  if (!published) process.stderr.write(`skipped: ${skipReason}\n`)
  ;(published ? test : test.skip)('every sample', async () => {
    const { wrong, supported } = await goldScores(importNestful(publishedFiles()), {})
    expect(wrong).toEqual([])
    expect(supported).toEqual({
      'published partial': 307,
      'published full': 307,
      'published win': 10,
      'published pass_mock': 84,
      'sound partial': 310,
      'sound full': 310,
      'sound graph_partial': 310,
      'sound graph_full': 310,
      'sound win': 10,
      'sound pass_mock': 84,
    })
  })
  ;(published ? test : test.skip)(
    'every sample that can be answered, with tools, as sound judges',
    async () => {
      const { lines, artifacts } = importNestful(publishedFiles())
      const benchmark = benchmarkOf(artifacts)
      const options = { setup: 'tools', policy: 'sound' }
      const wrong: unknown[] = []
      let tried = 0
      for (const c of lines.map((line) => benchmark.parse(line))) {
        const player = benchmark.player(c, { ...defaults, ...options })
        if (!player) continue
        tried++
        const { policies } = await scoreOf(benchmark, c, player, options)
        if (!policies!['sound']!.passed) wrong.push([c.id, policies!['sound']!.differences])
      }
      expect([wrong, tried]).toEqual([[], 300])
    },
  )
  ;(published ? test : test.skip)('a reference without its output is wrong in every sample', async () => {
    const { lines, artifacts } = importNestful(publishedFiles())
    const benchmark = benchmarkOf(artifacts)
    let tried = 0
    for (const c of lines.map((line) => benchmark.parse(line))) {
      const calls = c.task.calls.map((call) => ({
        ...call,
        arguments: call.arguments.replaceAll(/\$(var_?\d+)[.[][^$]*\$/g, '$$$1$$'),
      }))
      if (calls.every((call, at) => call.arguments === c.task.calls[at]!.arguments)) continue
      tried++
      const player = benchmark.player(c, { ...defaults, policy: 'sound' }, calls)!
      const { policies } = await scoreOf(benchmark, c, player)
      expect([c.id, policies!['sound']!.passed]).toEqual([c.id, false])
    }
    expect(tried).toBeGreaterThan(200)
  })
  ;(published ? test : test.skip)('the three in-context examples', async () => {
    const { wrong, supported } = await goldScores(importNestful(publishedFiles(['v2/icl_examples.json'])), {})
    expect(wrong).toEqual([])
    expect(supported['published win']).toBe(3)
  })
})
