import { expect, test } from '@jest/globals'
import { choose, tableForms } from './table-forms.ts'

const models = Array.from({ length: 30 }, (_, n) => `Model-${n}`)
const wide = {
  title: 'Table III (* as published)',
  head: ['', ...models],
  rows: [
    ['Correct URLs (e)', ...models.map((_, n) => String(n))],
    ['a | b <c>', ...models.map(() => '-')],
  ],
}

test('a table that is wider than the terminal is cut into blocks that have the first column each', () => {
  const text = tableForms['table']!([wide], 80)
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  const blocks = text.split('\n\n')
  expect(blocks.length).toBeGreaterThan(3)
  for (const block of blocks) expect(block).toContain('Correct URLs (e)')
  for (const model of models) expect(text.match(new RegExp(`${model}\\b`, 'g'))).toHaveLength(1)
  expect(tableForms['table']!([wide], Infinity).split('\n\n')).toHaveLength(1)
})

test('columns and rows are chosen by parts of their names, in whatever case; nothing is left of the others', () => {
  const [one, ...more] = choose(
    [wide, { title: 'other', head: ['', 'X'], rows: [['Correct URLs (e)', '1']] }],
    {
      columns: ['model-3', 'MODEL-7'],
      rows: ['urls'],
    },
  )
  expect(more).toEqual([])
  expect(one).toEqual({
    title: wide.title,
    head: ['', 'Model-3', 'Model-7'],
    rows: [['Correct URLs (e)', '3', '7']],
  })
  expect(choose([wide], {})).toEqual([wide])
})

test('CSV, Markdown and HTML quote what would break them', () => {
  const small = choose([wide], { columns: ['Model-29'] })
  expect(tableForms['csv']!(small, 80)).toBe(
    "Table III (* as published)\r\n,Model-29\r\nCorrect URLs (e),29\r\na | b <c>,'-",
  )
  expect(tableForms['markdown']!(small, 80)).toBe(
    '### Table III (\\* as published)\n\n|  | Model-29 |\n| --- | ---: |\n| Correct URLs (e) | 29 |\n| a \\| b &lt;c> | - |',
  )
  expect(tableForms['html']!(small, 80)).toContain('<tr><td>a | b &lt;c&gt;</td><td>-</td></tr>')
})
