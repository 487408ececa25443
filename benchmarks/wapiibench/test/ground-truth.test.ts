/** The ground truth, written in several styles, is correct under both policies. */
import { beforeAll, describe, expect, test } from '@jest/globals'
import { type DatasetSet, getFirstAnswer, buildProgramCandidate } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'
import { importTasks } from '../dataset/from-dataset.ts'
import { styles } from '../emit/styles.ts'
import { layouts } from '../prompt/prompt.ts'
import { setups, buildStarter } from '../prompt/starter.ts'
import { published, publishedFiles, skipReason } from './data.ts'
import { benchmarkOf, candidateOf, scoreOf } from './drive.ts'

/** All tasks in the plain style, a part of them in the others; all in all styles with STATEEVAL_LONG=1. */
const step = process.env['STATEEVAL_LONG'] === '1' ? 1 : 16
const some = (cases: readonly WapiiCase[], from: number) => cases.filter((_, n) => n % step === from % step)

const describeData = published ? describe : describe.skip
if (!published) process.stderr.write(`skipped: ${skipReason}\n`)

describeData('the published data', () => {
  let set: DatasetSet
  let cases: WapiiCase[]
  let benchmark: ReturnType<typeof benchmarkOf>
  beforeAll(() => {
    set = importTasks(publishedFiles())
    benchmark = benchmarkOf(set.artifacts)
    cases = set.lines.map((line) => benchmark.parse(line))
  })

  test('counts, hashes and warnings of the import', () => {
    expect(set.about.statistics.map(({ scenario, cases: n }) => [scenario, n])).toEqual([
      ['asana', 167],
      ['google_calendar_v3', 37],
      ['google_sheet_v4', 17],
      ['slack', 174],
    ])
    expect(set.warnings.every((warning) => warning.startsWith('slack 102: '))).toBe(true)
    expect(set.warnings.filter((warning) => warning.includes('undocumented'))).toHaveLength(2)
    expect(Object.keys(set.artifacts)).toHaveLength(4)
  })
  test('expected arguments by location', async () => {
    const counts: Record<string, number> = {}
    for (const c of cases) {
      const { policies } = benchmark.score({ case: c, candidate: buildProgramCandidate({ code: null }) })
      for (const [key, n] of Object.entries(policies!['published']!.metrics))
        if (key.startsWith('expected/')) counts[key.slice(9)] = (counts[key.slice(9)] ?? 0) + n
    }
    expect(counts).toEqual({ headers: 391, params: 179, data: 321, path_params: 198, all: 1089 })
  })
  test.each(styles.map((style, n) => [style.name, style, n] as const))('%s', async (_, style, n) => {
    for (const c of n === 0 ? cases : some(cases, n)) {
      const { policies } = await scoreOf(benchmark, c, style.write(c.task.config))
      for (const policy of style.soundOnly ? ['sound'] : ['published', 'sound'])
        expect({ id: c.id, policy, ...policies![policy] }).toMatchObject({
          passed: true,
          differences: expect.not.arrayContaining([expect.objectContaining({ where: 'endpoint' })]),
        })
      for (const judged of Object.values(policies!)) expect(judged.metrics['illegal/all'] ?? 0).toBe(0)
    }
  })
  test('the baseline check passes under every setup and layout', async () => {
    for (const c of some(cases, 0))
      for (const setup of setups)
        for (const layout of layouts) {
          const { policies } = await scoreOf(
            benchmark,
            c,
            getFirstAnswer(benchmark.player(c, { prompting: 'direct' }))!,
            { setup, layout },
          )
          expect([c.id, setup, layout, ...Object.values(policies!).map(({ verdict }) => verdict)]).toEqual([
            c.id,
            setup,
            layout,
            'correct',
            'correct',
          ])
        }
  })
  test('a completion of the starter code is correct, and runs once', async () => {
    for (const c of some(cases, 1))
      for (const setup of setups) {
        const starter = buildStarter(c.instruction, c.task, setup)
        const answer = getFirstAnswer(benchmark.player(c, { prompting: 'direct' }))!.slice(starter.length)
        const candidate = await candidateOf(benchmark, c, answer, { setup, layout: 'base' })
        expect([c.id, candidate.runs.length]).toEqual([c.id, 1])
        expect(benchmark.score({ case: c, candidate }).passed).toBe(true)
      }
  })
})
