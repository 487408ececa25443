import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './generated.ts'
import { collectNames, findGlossaryFaults, findNamingFaults, measureNames, readNames } from './names.ts'

test('the sources meet the goals, and the glossary has one meaning for a word', () => {
  const names = readNames(root)
  expect(names.functions.length).toBeGreaterThan(1000)
  expect(findNamingFaults(names)).toEqual([])
  expect(findGlossaryFaults(readFileSync(join(root, 'docs/glossary.md'), 'utf8'), names)).toEqual([])
})

test('each goal finds the names that miss it', () => {
  const names = collectNames([
    ['a.ts', '/** What it is. */\nexport interface Asked {}\nconst textOf = (x: string) => x\n'],
    [
      'b.ts',
      '// Reads a text.\ntype Asked = string\nexport function readText() {}\nasync function textOf() {}\n',
    ],
  ])
  const found = measureNames(names).map(({ what, share, isMet, names: some }) => [what, share, isMet, some])
  expect(found).toEqual([
    ['types with a name of one word', 100, false, ['Asked']],
    ['types named by a participle', 100, false, ['Asked']],
    ['types with a name of several files', 100, false, ['Asked']],
    [expect.stringContaining('begin with a verb'), expect.closeTo(33.3, 1), false, ['readText']],
    [expect.stringContaining('preposition'), expect.closeTo(66.7, 1), false, ['textOf']],
    [expect.stringContaining('functions with a name of several'), expect.closeTo(66.7, 1), false, ['textOf']],
    [expect.stringContaining('comments'), 50, false, ['What it is. */']],
  ])
  expect(findNamingFaults(names)).toHaveLength(7)
})

test('a word of the glossary with two declarations, or none, is a fault', () => {
  const names = collectNames([
    ['a.ts', 'interface Trace {}\n'],
    ['b.ts', 'interface Trace {}\n'],
  ])
  expect(findGlossaryFaults('| trace | calls so far (`Trace`) |\n| case | a task (`Case`) |', names)).toEqual(
    [
      expect.stringContaining('Trace is a word of docs/glossary.md and is declared by a.ts and b.ts'),
      expect.stringContaining('names the type Case, which no source declares'),
    ],
  )
})
