/** The prompt of section 5.2: gold APIs, those of the examples, random ones, under a budget; native tools. */
import { expect, test } from '@jest/globals'
import { importNestful } from '../dataset/from-dataset.ts'
import { type ApiLibrary, readApi } from '../dataset/library.ts'
import { layouts } from '../prompt/prompt.ts'
import { maxTokens, estimateTokensSafely } from '../prompt/api-list.ts'
import { nameTools } from '../prompt/tools.ts'
import { readWhole } from '../python/read.ts'
import { published, publishedFiles, v1Files } from './data.ts'
import { benchmarkOf, defaults } from './drive.ts'
import { sampleBenchmark, sampleCase, sampleCases, sampleSet } from './sample.ts'

type Options = Partial<typeof defaults>
function promptOf(c: (typeof sampleCases)[number], options: Options = {}, benchmark = sampleBenchmark) {
  const turn = benchmark.episode.start(c, { ...defaults, ...options })
  if (!('need' in turn) || turn.need.kind !== 'reply') throw new Error('nobody is asked')
  const { append, tools } = turn.need
  return { text: append.map(({ content }) => content).join('\n'), tools }
}

test('three examples, one or none; never the case itself', () => {
  const c = sampleCase('executable-0')
  const count = (setup: string) => promptOf(c, { setup }).text.match(/#Example-/g)?.length ?? 0
  expect(['three-shot', 'one-shot', 'zero-shot'].map(count)).toEqual([3, 1, 0])
  for (const one of sampleCases) expect(promptOf(one).text.split(one.instruction)).toHaveLength(2)
})

test('an example that the specifications of the prompt refuse is not shown', () => {
  let refused = 0
  for (const c of sampleCases.filter(({ task }) => task.form === 'v1')) {
    const library = JSON.parse(Buffer.from(sampleSet.artifacts[c.artifacts![0]!]!).toString()) as ApiLibrary
    for (const example of library.examples.filter((one) => one.case !== c.id)) {
      const shows = (output: string) =>
        promptOf({ ...c, task: { ...c.task, examples: [{ ...example, output }] } }).text.includes(
          example.input,
        )
      expect([c.id, example.input, shows(example.output)]).toEqual([c.id, example.input, true])
      const calls = JSON.parse(example.output) as { arguments: Record<string, unknown> }[]
      for (const [at, { arguments: args }] of calls.entries())
        for (const [name, { [name]: value, ...others }] of Object.keys(args).map(
          (key) => [key, args] as const,
        )) {
          const changed = calls.with(at, { ...calls[at], arguments: { ...others, [`${name} 2`]: value } })
          expect([c.id, name, shows(JSON.stringify(changed))]).toEqual([c.id, name, false])
          refused++
        }
    }
  }
  expect(refused).toBeGreaterThan(0)
})

test('the gold APIs are listed, whatever the documentation mode, but under none', () => {
  const c = sampleCase('executable-1')
  const names = c.task.calls.map(({ name }) => name)
  for (const documentation of ['full', 'relevant'] as const)
    for (const name of names)
      expect(promptOf(c, { setup: 'zero-shot', documentation }).text).toContain(`"name": "${name}"`)
  expect(promptOf(c, { setup: 'zero-shot', documentation: 'none' }).text).not.toContain('"name": "Harbour')
  // Addresses are not shown.
  expect(promptOf(c).text).not.toContain('harbour.example')
})

test.each(layouts)('%s: the same bytes each time, in its own format', (layout) => {
  const c = sampleCase('math-paint')
  expect(promptOf(c, { layout })).toEqual(promptOf(c, { layout }))
  const mark = {
    hermes: '<tool_call>',
    xlam: '"tool_calls"',
    granite: '<|tool_call|>',
    'granite-20b': '<function_call>',
  }[layout as string]
  if (mark) expect(promptOf(c, { layout }).text).toContain(mark)
})

test('native tools have names that chat APIs take, all different', () => {
  expect([...nameTools(['Hotels.Search', 'Hotels_Search', 'a'.repeat(80), 'a'.repeat(70)]).values()]).toEqual(
    ['Hotels_Search', 'Hotels_Search_2', 'a'.repeat(64), `${'a'.repeat(62)}_2`],
  )
  const { tools, text } = promptOf(sampleCase('executable-1'), { setup: 'tools' })
  const tool = tools!.find(({ name }) => name === 'Harbour_Book_Berth')!
  expect(tool.parameters).toMatchObject({
    properties: { port: { type: 'string' }, class: { description: 'Its size One of: small, medium, large' } },
    required: ['arrival', 'port', 'ship'],
  })
  expect(tool.description).toContain('Output parameters: booking_id, fee.')
  expect(text).toContain('$varN.OUTPUT$')
})

test('a specification shows what a model needs', () => {
  const api = readApi(
    readWhole(
      '{"name": "f", "host": "h", "parameters": {"a": {"type": "integer", "required": true}}, "output_parameters": {"x": {"type": "object", "properties": {"y": "number"}}}}',
    ),
  )
  expect(api.outputs).toEqual({ x: 'object', 'x.y': 'number' })
  expect(api.shown).not.toContain('host')
})
;(published ? test : test.skip)('every published prompt stays under the budget, with many APIs', () => {
  const set = importNestful(publishedFiles(v1Files))
  const benchmark = benchmarkOf(set.artifacts)
  let fewest = Infinity
  for (const [at, line] of set.lines.entries()) {
    if (at % 7 > 0) continue
    const c = benchmark.parse(line)
    const { text } = promptOf(c, {}, benchmark)
    expect([c.id, estimateTokensSafely(text) < maxTokens + 200]).toEqual([c.id, true])
    fewest = Math.min(fewest, text.match(/"output_parameters"/g)!.length)
  }
  expect(fewest).toBeGreaterThan(4)
})
