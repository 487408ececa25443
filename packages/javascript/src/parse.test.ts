import { describe, expect, test } from '@jest/globals'
import { parse as acornParse } from 'acorn'
import { parse, TooDeep } from './parse.ts'

const options = { ecmaVersion: 'latest' } as const

/** Code with `n` levels of one construct, and how many levels are still read. */
const nestings: Record<string, [(n: number) => string, number]> = {
  brackets: [(n) => '['.repeat(n) + ']'.repeat(n), 150],
  parentheses: [(n) => `${'('.repeat(n)}1${')'.repeat(n)}`, 150],
  calls: [(n) => 'a('.repeat(n) + ')'.repeat(n), 240],
  objects: [(n) => `x=${'{a:'.repeat(n)}1${'}'.repeat(n)}`, 150],
  blocks: [(n) => '{'.repeat(n) + '}'.repeat(n), 490],
  functions: [(n) => 'function f(){'.repeat(n) + '}'.repeat(n), 490],
  arrows: [(n) => `${'()=>'.repeat(n)}1`, 150],
  'else if': [(n) => `${'if(a){}else '.repeat(n)}{}`, 490],
  conditions: [(n) => `${'a?b:'.repeat(n)}c`, 490],
  signs: [(n) => `${'!'.repeat(n)}1`, 490],
  templates: [(n) => `${'`${'.repeat(n)}1${'}`'.repeat(n)}`, 150],
  constructors: [(n) => `${'new '.repeat(n)}a`, 490],
  patterns: [(n) => `let ${'['.repeat(n)}a${']'.repeat(n)}=1`, 490],
  sums: [(n) => `a${'+a'.repeat(n)}`, 950],
  groups: [(n) => `/${'('.repeat(n)}${')'.repeat(n)}/`, 200],
}

describe.each(Object.entries(nestings))('%s', (_, [code, levels]) => {
  test('as deep as people nest them are read as acorn reads them', () => {
    expect(parse(code(levels), options)).toEqual(acornParse(code(levels), options))
  })

  test('much deeper ones are refused before the stack ends, wherever one stands on it', () => {
    const at = (depth: number): unknown => {
      if (depth > 0) return at(depth - 1)
      try {
        return parse(code(5_000), options).type
      } catch (error) {
        return error
      }
    }
    for (const depth of [0, 1_000]) expect(at(depth)).toBeInstanceOf(TooDeep)
  })
})

test('what stands in a row is no nesting', () => {
  const long = `a${'.b(1)'.repeat(3_000)};${'f([1], {a: 1});'.repeat(3_000)}[${'(1),'.repeat(3_000)}];/${'(a)'.repeat(300)}/`
  expect(parse(long, options).body).toHaveLength(3_003)
})

test('broken code is told with its place', () => {
  const parseFault = () => {
    try {
      return parse('let a = 1\nconst b = = 2', options)
    } catch (error) {
      return error
    }
  }
  expect(parseFault()).toMatchObject({ name: 'SyntaxError', loc: { line: 2, column: 10 } })
})
