/** The parser's own scopes find the same names as acorn's. */
import { expect, test } from '@jest/globals'
import { parse as acornParse } from 'acorn'
import { slowness } from '@stateeval/testkit/long-texts'
import { parse } from './parse.ts'

const outcome = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return String(error)
  }
}
const many = (declare: (n: number) => string, separator = ';') =>
  Array.from({ length: 40 }, (_, n) => declare(n)).join(separator)

test.each([
  ['let twice', `${many((n) => `let a${n}`)};let a7`],
  ['var over let', `${many((n) => `let a${n}`)};var a39`],
  ['let over var', `${many((n) => `var a${n}`)};let a39`],
  ['var twice', `${many((n) => `var a${n}`)};var a3`],
  ['function over let', `${many((n) => `let a${n}`)};function a20(){}`],
  ['functions twice', `${many((n) => `function a${n}(){}`)};function a20(){}`],
  ['functions twice in a block', `{${many((n) => `function a${n}(){}`)};function a20(){}}`],
  [
    'functions twice in a strict block',
    `'use strict';{${many((n) => `function a${n}(){}`)};function a20(){}}`,
  ],
  ['a parameter twice', `(${many((n) => `a${n}`, ',')},a3)=>{}`],
  ['let over a parameter', `function f(${many((n) => `a${n}`, ',')}){let a3}`],
  ['a catch', 'try{}catch(e){var e}'],
  ['a catch of a pattern', `try{}catch({${many((n) => `a${n}`, ',')}}){var a5}`],
  ['var through blocks', `${many((n) => `let a${n}`)};{{{var a5}}}`],
  ['names of an export', `${many((n) => `const a${n}=1`)};export {${many((n) => `a${n}`, ',')}}`],
  ['an export before its name', `export {a39};${many((n) => `const a${n}=1`)}`],
  ['an export without its name', `${many((n) => `const a${n}=1`)};export {b}`],
  ['an export twice', `${many((n) => `export const a${n}=1`)};export {a3}`],
  ['what objects inherit', `${many((n) => `let a${n}`)};let constructor, toString; let constructor`],
])('%s', (_, code) => {
  for (const sourceType of ['script', 'module'] as const) {
    const options = { ecmaVersion: 'latest', sourceType } as const
    expect(outcome(() => parse(code, options))).toEqual(outcome(() => acornParse(code, options)))
  }
})

const declarations = (line: (n: number) => string) => (length: number) => {
  let code = ''
  for (let n = 0; code.length < length; n++) code += line(n)
  return code
}
test.each([
  ['exports', (n: number) => `export const a${n} = 1;\n`],
  ['exported lists', (n: number) => `const a${n} = 1; export { a${n} };\n`],
  ['exported functions', (n: number) => `export function f${n}() {}\n`],
  ['variables', (n: number) => `let a${n} = 1;\n`],
  ['imports', (n: number) => `import a${n} from 'x';\n`],
  ['classes', (n: number) => `class A${n} { x = 1 }\n`],
])('many %s', (_, line) => {
  const read = (code: string) => parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  expect(slowness(read, declarations(line), { perMillion: 4000 })).toBeNull()
})
