import { expect, test } from '@jest/globals'
import { bundleRunner, deferrals } from './bundle.ts'

test('all that can wait for its first use is found in this axios', () => {
  let text = bundleRunner().bundle
  for (const [found, instead] of deferrals) {
    expect([String(found), text.search(found) >= 0]).toEqual([String(found), true])
    text = text.replace(found, instead)
  }
})
