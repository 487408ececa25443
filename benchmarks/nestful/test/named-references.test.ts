/** References by a function's name, as in section 5.3 of the paper: right, and run, under `sound`. */
import { expect, test } from '@jest/globals'
import { labelReferences } from '../execution/labels.ts'
import { scoreOf } from './drive.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'

/** Calls whose every reference can be written by name: the nearest earlier call of that name is meant. */
function nameReferences(calls: (typeof sampleCases)[number]['task']['calls']): string | null {
  const named = calls.map(({ name, label, arguments: text }, at) => {
    let written = text
    for (const [place, other] of calls.slice(0, at).entries()) {
      const plain = other.label.replaceAll('$', '')
      if (!new RegExp(`\\$${plain}(?=[.[])`).test(text)) continue
      if (calls.slice(place + 1, at).some((later) => later.name === other.name)) return null
      written = written.replaceAll(new RegExp(`\\$${plain}(?=[.[])`, 'g'), `$$${other.name}`)
    }
    return { name, label, arguments: JSON.parse(written) as unknown, isChanged: written !== text }
  })
  if (named.includes(null) || !named.some((call) => call?.isChanged)) return null
  return JSON.stringify(named.map((call) => ({ ...call, isChanged: undefined })))
}

test('samples whose references name functions are as right, and win, as with labels', async () => {
  let tried = 0
  let won = 0
  for (const c of sampleCases) {
    const answer = nameReferences(c.task.calls)
    if (answer === null) continue
    tried++
    const byLabel = JSON.stringify(
      c.task.calls.map(({ arguments: text, ...call }) => ({
        ...call,
        arguments: JSON.parse(text) as unknown,
      })),
    )
    const [named, labelled] = [
      await scoreOf(sampleBenchmark, c, answer, { policy: 'sound' }),
      await scoreOf(sampleBenchmark, c, byLabel, { policy: 'sound' }),
    ]
    expect([c.id, named.verdict]).toEqual([c.id, labelled.verdict])
    for (const metric of ['full', 'graph_full', 'win', 'pass_mock'])
      expect([c.id, metric, named.policies!['sound']!.metrics[metric]]).toEqual([
        c.id,
        metric,
        labelled.policies!['sound']!.metrics[metric],
      ])
    won += named.policies!['sound']!.metrics['win'] ?? 0
  }
  expect(tried).toBeGreaterThan(2)
  expect(won).toBeGreaterThan(0)
})

const call = (name: string, label: string, args: object) => ({ name, label, arguments: JSON.stringify(args) })
test.each<[string, object, string]>([
  ['alone', { x: '$add.result$' }, '{"x": "$v2.result$"}'],
  ['in braces', { x: '${add.result}' }, '{"x": "$v2.result$"}'],
  ['in lists and texts', { x: ['$add.result$ of $v0.a[0]$'] }, '{"x": ["$v2.result$ of $v0.a[0]$"]}'],
  ['an index', { x: '$add[0].id$' }, '{"x": "$v2[0].id$"}'],
  ['the whole result', { x: '$add$' }, '{"x": "$v2$"}'],
  ['a label', { x: '$v1.result$', y: 1 }, '{"x":"$v1.result$","y":1}'],
  ['a later function', { x: '$last.result$' }, '{"x":"$last.result$"}'],
  ['a price', { x: '$100-$200' }, '{"x":"$100-$200"}'],
])('%s: the latest earlier call of the function is meant', (_, args, expected) => {
  const calls = [
    call('find', 'v0', {}),
    call('add', 'v1', {}),
    call('add', '$v2', {}),
    call('double', 'v3', args),
    call('last', 'v4', {}),
  ]
  const labelled = labelReferences(calls)
  expect(labelled[3]).toEqual({ name: 'double', label: 'v3', arguments: expected })
  expect(labelled.toSpliced(3, 1)).toEqual(calls.toSpliced(3, 1))
})
