import { expect, test } from '@jest/globals'
import { extract } from '../extract.ts'

const program = "const axios = require('axios');\nRESULT = { a: 1 };"
const fenced = (code: string, tag = 'javascript') => `\`\`\`${tag}\n${code}\n\`\`\``

const answers: [string, string, string | null][] = [
  ['one fence', fenced(program), program],
  ['prose around', `Here it is:\n\n${fenced(program)}\n\nIt works because…`, program],
  ['another tag of the language', fenced(program, 'JS title="x"'), program],
  ['no tag', fenced(program, ''), program],
  ['tildes', `~~~js\n${program}\n~~~`, program],
  ['Windows line ends', fenced(program).replaceAll('\n', '\r\n'), program],
  ['several: the last complete one', `${fenced('RESULT = { a: 0 };')}\nBetter:\n${fenced(program)}`, program],
  [
    'a sample of output behind the code',
    `${fenced(program)}\nThis gives:\n${fenced('{ "a": 1 }', 'json')}\nor\n${fenced('{ a: 1 }', '')}`,
    program,
  ],
  ['a shell command before the code', `${fenced('npm install axios', 'bash')}\n${fenced(program)}`, program],
  ['a complete one and one that was cut off', `${fenced(program)}\n\`\`\`javascript\nconst x = `, program],
  ['only one that was cut off', `\`\`\`javascript\n${program}\nconst x = `, `${program}\nconst x = `],
  ['a fence in a list', `1. Do this\n   \`\`\`js\n   const a = 1;\n     RESULT = { a };\n   \`\`\``, 'const a = 1;\n  RESULT = { a };'],
  [
    'a longer fence with a fence in it',
    `\`\`\`\`js\nconst t = \`\n\`\`\`\n\`;\nRESULT = { t };\n\`\`\`\``,
    'const t = `\n```\n`;\nRESULT = { t };',
  ],
  ['thoughts with code in them', `<think>\n${fenced('RESULT = { a: 0 };')}\n</think>\n${fenced(program)}`, program],
  ['thoughts without their beginning', `so I will do it\n</think>\n${fenced(program)}`, program],
  ['thoughts without an end', `<think>\nI could write ${fenced(program)}`, null],
  ['a tag of thoughts inside the code', fenced("const s = '</think>';\nRESULT = { s };"), "const s = '</think>';\nRESULT = { s };"],
  ['code without a fence', program, program],
  ['code without a fence, prose around', `Sure, here is the program:\n\n${program}\n\nHope this helps`, program],
  ['broken code without a fence', "const axios = require('axios');\nRESULT = { a: ;", "const axios = require('axios');\nRESULT = { a: ;"],
  ['prose', 'I can’t do that.', null],
  ['prose about RESULT', 'You should set RESULT to the listing and then you are done.', null],
  ['nothing', '', null],
  ['an empty fence', fenced(''), null],
  ['a fence with comments only', fenced('// nothing to do\n'), null],
  ['only another language', fenced('print(1)', 'python'), null],
]
test.each(answers)('%s', (_, answer, code) => {
  expect(extract(answer, 'javascript')).toBe(code)
})

test('Python has its own tags', () => {
  expect(extract(`${fenced('x', 'js')}\n${fenced('RESULT = {}', 'python')}`, 'python')).toBe('RESULT = {}')
})

test('hostile answers take bounded time', () => {
  const start = process.cpuUsage()
  for (const text of [
    '`'.repeat(1e6),
    '```\n'.repeat(2e5),
    '<think>'.repeat(1e5),
    ' '.repeat(1e6),
    'const RESULT = '.repeat(5e4),
    '{'.repeat(1e6),
    `RESULT await ${'('.repeat(1e5)}`,
  ]) {
    expect(() => extract(text, 'javascript')).not.toThrow()
  }
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000)
})
