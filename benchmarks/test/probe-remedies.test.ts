/** Options of benchmarks that the sentences of a probe name. */
import { expect, test } from '@jest/globals'
import { callMarks, callNotations } from '@stateeval/answers'
import { scenarios } from '@stateeval/scenarios'
import { remedies } from '../../packages/models/src/probe/remedies.ts'
import { benchmarks } from '../index.ts'

const host = { scenario: (id: string) => scenarios.find((one) => one.id === id)! }
const kinds = benchmarks.map((make) => make(host))
const found = [...callNotations, ...callMarks].map(({ layout = 'qwen' }) => layout)

test('a layout or a setup that a probe names is one of the benchmark that it names', () => {
  const named = remedies.flatMap(({ says }) => [
    ...says.matchAll(/(\w{1,40}) with --(layout|setup) ([\w{}-]{1,40})/g),
  ])
  expect(named.length).toBeGreaterThanOrEqual(4)
  for (const [, title, option, value] of named) {
    const { layouts = [], setups = [] } = kinds.find((kind) => kind.title.startsWith(`${title}:`))!.asking
    const values = option === 'layout' ? layouts : setups
    expect(values).toEqual(expect.arrayContaining(value === '{value}' ? found : [value]))
  }
  // No other sentence names an option of one benchmark without its name.
  for (const { says } of remedies)
    expect(says.match(/--(layout|setup|policy)\b/g)?.length ?? 0).toBe(
      [...says.matchAll(/\w with --(layout|setup) /g)].length,
    )
})
