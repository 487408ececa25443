import { expect, test } from '@jest/globals'
import { sectionHtml, sectionText } from './sections.ts'

const table = { head: ['type', 'samples'], rows: [['<a>', 3] as [string, number], ['b', 2], ['c', 1]] }

test('a terminal shows so many rows and counts the others; HTML has all, numbers apart, texts escaped', () => {
  const text = sectionText({ table, max: 1 })
  expect(text).toMatch(/<a> +3/)
  expect(text).toContain('… and 2 more; --format json has them all')
  expect(text).not.toMatch(/^ b/m)
  expect(sectionHtml({ title: 'Types & more', table, max: 1 })).toBe(
    '<h2>Types &amp; more</h2><table><tr><th>type</th><th>samples</th></tr><tr><td>&lt;a&gt;</td><td class="n">3</td></tr>' +
      '<tr><td>b</td><td class="n">2</td></tr><tr><td>c</td><td class="n">1</td></tr></table>',
  )
})

test('lines: the first says what the others are, which are cut', () => {
  const lines = ['They differ:', '  <one>', '  two']
  expect(sectionText({ lines, max: 1 })).toBe(
    'They differ:\n  <one>\n  … and 1 more; --format json has them all',
  )
  expect(sectionText({ lines })).toBe(lines.join('\n'))
  expect(sectionHtml({ lines, max: 1 })).toBe('<p>They differ:</p><pre>  &lt;one&gt;\n  two</pre>')
  expect(sectionHtml({ lines: ['alone'] })).toBe('<p>alone</p>')
})

test('counts in parts are a table with sums in a terminal, bars in HTML', () => {
  const parts = {
    label: 'Error types by depth',
    names: 'depth',
    sum: 'failed',
    parts: ['func_error', 'value_error'],
    rows: [{ name: '2', counts: [4, 1] }],
  }
  expect(sectionText({ parts })).toMatch(/depth +failed +func_error +value_error *\n 2 +5 +4 +1/)
  const html = sectionHtml({ parts })
  expect(html).toContain('aria-label="Error types by depth"')
  expect(html).toContain('<title>func_error: 4</title>')
})
