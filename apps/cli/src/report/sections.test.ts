import { expect, test } from '@jest/globals'
import { formatSection } from './sections.ts'

const table = { head: ['type', 'samples'], rows: [['<a>', 3] as [string, number], ['b', 2], ['c', 1]] }

test('a terminal shows so many rows and counts the others', () => {
  const text = formatSection({ table, max: 1 })
  expect(text).toMatch(/<a> +3/)
  expect(text).toContain('… and 2 more; --format json has them all')
  expect(text).not.toMatch(/^ b/m)
})

test('lines: the first says what the others are, which are cut', () => {
  const lines = ['They differ:', '  <one>', '  two']
  expect(formatSection({ lines, max: 1 })).toBe(
    'They differ:\n  <one>\n  … and 1 more; --format json has them all',
  )
  expect(formatSection({ lines })).toBe(lines.join('\n'))
})

test('counts in parts are a table with sums in a terminal', () => {
  const parts = {
    label: 'Error types by depth',
    names: 'depth',
    sum: 'failed',
    parts: ['func_error', 'value_error'],
    rows: [{ name: '2', counts: [4, 1] }],
  }
  expect(formatSection({ parts })).toMatch(/depth +failed +func_error +value_error *\n 2 +5 +4 +1/)
})
