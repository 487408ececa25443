import { expect, test } from '@jest/globals'
import { buildRunnerBundle, deferrals } from './bundle.ts'

test('all that can wait for its first use is found in this axios', () => {
  let text = buildRunnerBundle().bundle
  for (const [pattern, instead] of deferrals) {
    expect([String(pattern), text.search(pattern) >= 0]).toEqual([String(pattern), true])
    text = text.replace(pattern, instead)
  }
})
