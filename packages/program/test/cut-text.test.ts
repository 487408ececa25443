/** Two texts that differ are shown differently, however long they are alike. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { cutApart, cutText } from '../src/cut-text.ts'

const longest = 20
const text = fc.string({ unit: fc.constantFrom('a', 'b', '…'), maxLength: 60 })

test('two texts are cut to their length, and apart', () => {
  fc.assert(
    fc.property(text, text, text, (start, a, b) => {
      const [one, other] = [start + start + a, start + start + b]
      const cut = cutApart(one, other, longest)
      for (const shown of cut) expect(shown.length).toBeLessThanOrEqual(longest + 2)
      if (Math.max(one.length, other.length) <= longest) expect(cut).toEqual([one, other])
      expect(cut[0] === cut[1]).toBe(one === other)
    }),
  )
})

test('what is shown begins before the first difference', () => {
  const alike = 'x'.repeat(50)
  expect(cutApart(`${alike}1`, `${alike}2`, longest)).toEqual(['…xxxxxx1', '…xxxxxx2'])
  expect(cutText(alike, longest)).toBe(`${'x'.repeat(longest)}…`)
})
