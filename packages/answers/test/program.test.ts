import { expect, test } from '@jest/globals'
import type { Language } from '@stateeval/contracts'
import { leastEffort } from '@stateeval/testkit/each-time'
import { readProgram as found } from '../src/program.ts'

const program = "const axios = require('axios');\nRESULT = { a: 1 };"
const long = `${Array.from({ length: 4000 }, (_, n) => `let a${n};`).join('\n')}\nRESULT = { a: 1 };`
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
  [
    'a fence in a list',
    `1. Do this\n   \`\`\`js\n   const a = 1;\n     RESULT = { a };\n   \`\`\``,
    'const a = 1;\n  RESULT = { a };',
  ],
  [
    'a longer fence with a fence in it',
    `\`\`\`\`js\nconst t = \`\n\`\`\`\n\`;\nRESULT = { t };\n\`\`\`\``,
    'const t = `\n```\n`;\nRESULT = { t };',
  ],
  [
    'thoughts with code in them',
    `<think>\n${fenced('RESULT = { a: 0 };')}\n</think>\n${fenced(program)}`,
    program,
  ],
  ['thoughts without their beginning', `so I will do it\n</think>\n${fenced(program)}`, program],
  ['thoughts without an end', `<think>\nI could write ${fenced(program)}`, null],
  [
    'a tag of thoughts inside the code',
    fenced("const s = '</think>';\nRESULT = { s };"),
    "const s = '</think>';\nRESULT = { s };",
  ],
  ['code without a fence', program, program],
  ['long code without a fence, which is not parsed here', `Here:\n${long}\nDone`, long],
  [
    'code without a fence, prose around',
    `Sure, here is the program:\n\n${program}\n\nHope this helps`,
    program,
  ],
  [
    'broken code without a fence',
    "const axios = require('axios');\nRESULT = { a: ;",
    "const axios = require('axios');\nRESULT = { a: ;",
  ],
  ['prose', 'I can’t do that.', null],
  ['prose about RESULT', 'You should set RESULT to the listing and then you are done.', null],
  ['nothing', '', null],
  ['an empty fence', fenced(''), null],
  ['a fence with comments only', fenced('// nothing to do\n'), null],
  ['only another language', fenced('print(1)', 'python'), null],
  // What follows is in the manner of real models' answers.
  [
    'a greeting, the code, an explanation in a list',
    `Certainly! Here's the program:\n\n${fenced(program)}\n\n### Explanation\n\n1. **List** the sessions.\n2. Set \`RESULT\`.`,
    program,
  ],
  ['the tag js', fenced(program, 'js'), program],
  ['the tag JavaScript', fenced(program, 'JavaScript'), program],
  ['the tag node', fenced(program, 'node'), program],
  ['the tag ts', fenced(program, 'ts'), program],
  ['the tag typescript', fenced(program, 'typescript'), program],
  ['the tag mjs', fenced(program, 'mjs'), program],
  ['a tag with a file name', fenced(program, 'js title="solution.js"'), program],
  ['a tag in braces', fenced(program, '{.javascript .numberLines}'), program],
  ['the tag text', fenced(program, 'text'), program],
  ['no tag', fenced(program, ''), program],
  [
    'a draft in thoughts and the final code after',
    `<think>${fenced('RESULT = { draft: 1 };')}Wait, no.</think>\nFinal answer:\n${fenced(program)}`,
    program,
  ],
  [
    'two thoughts',
    `<think>one</think>\nHm.\n<think>two ${fenced('RESULT = {}')}</think>\n${fenced(program)}`,
    program,
  ],
  ['<thinking>', `<thinking>\nWhat is asked?\n</thinking>\n\n${fenced(program)}`, program],
  ['<reasoning>', `<reasoning>list, then set</reasoning>${program}`, program],
  ['<|think|>', `<|think|>short<|/think|>\n${fenced(program)}`, program],
  ['thoughts in a fence-less answer', `<think>\nI will write const x = 1;\n</think>\n${program}`, program],
  ['upper-case thoughts', `<THINK>x</THINK>\n${fenced(program)}`, program],
  ['code, then thoughts that never end', `${fenced(program)}\n<think>Is this right? Let me`, program],
  [
    'a short usage example after the program',
    `${fenced(program)}\n\nTo use the list elsewhere:\n\n${fenced('const first = response_0[0];\nconsole.log(first.id);')}`,
    program,
  ],
  [
    'a helper shown first, whole program last',
    `The helper:\n${fenced('const get = (path) => axios.get(BASE_URL + path);')}\nWhole program:\n${fenced(program)}`,
    program,
  ],
  [
    '“Here is the final version”',
    `${fenced('RESULT = { a: 1 };')}\n\nWait, the key is wrong. Here is the final version:\n\n${fenced(program)}`,
    program,
  ],
  [
    'a correction as a diff',
    `${fenced(program)}\nOne fix:\n${fenced('@@ -3 +3 @@\n-RESULT = { listing: response_0 };\n+RESULT = { sessions: response_0 };', 'diff')}`,
    program.replace('listing:', 'sessions:'),
  ],
  [
    'a diff that fits nowhere',
    `${fenced(program)}\n${fenced('-RESULT = 7;\n+RESULT = 8;', 'diff')}`,
    program,
  ],
  [
    'a diff alone',
    fenced(
      `--- a/x.js\n+++ b/x.js\n@@ -0,0 +1,3 @@\n${program
        .split('\n')
        .map((line) => `+${line}`)
        .join('\n')}`,
      'diff',
    ),
    program,
  ],
  [
    'in pieces that need each other',
    `First axios:\n${fenced("const axios = require('axios');")}\nThen the list:\n${fenced('const list = (await axios.get(BASE_URL)).data;')}\nAnd:\n${fenced('RESULT = { list };')}`,
    "const axios = require('axios');\nconst list = (await axios.get(BASE_URL)).data;\nRESULT = { list };",
  ],
  ['JSON with the code', JSON.stringify({ explanation: 'Lists.', code: program }), program],
  ['JSON in a fence', fenced(JSON.stringify({ code: program }), 'json'), program],
  ['a JSON string', JSON.stringify(program), program],
  ['a tool call in JSON', JSON.stringify({ name: 'run_javascript', arguments: { code: program } }), program],
  ['JSON with a fence inside', JSON.stringify({ answer: fenced(program) }), program],
  [
    'a quotation',
    fenced(program)
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
    program,
  ],
  ['a bullet with a fence', `- ${fenced(program).split('\n').join('\n  ')}`, program],
  [
    'tabs before a fence',
    fenced(program)
      .split('\n')
      .map((line) => `\t${line}`)
      .join('\n'),
    program,
  ],
  ['a closing fence with blanks', `\`\`\`js\n${program}\n\`\`\`   \nDone.`, program],
  ['four tildes', `~~~~javascript\n${program}\n~~~~`, program],
  ['code tags without a fence', `<code>\n${program}\n</code>`, program],
  [
    'a main function',
    fenced(`const axios = require('axios');\nasync function main() {\n  RESULT = { a: 1 };\n}\nmain();`),
    `const axios = require('axios');\nasync function main() {\n  RESULT = { a: 1 };\n}\nmain();`,
  ],
  [
    'an immediately called function',
    fenced('(async () => {\n  RESULT = { a: 1 };\n})();'),
    '(async () => {\n  RESULT = { a: 1 };\n})();',
  ],
  [
    'an import',
    fenced("import axios from 'axios';\nRESULT = {};"),
    "import axios from 'axios';\nRESULT = {};",
  ],
  [
    'code with a template of a fence',
    fenced('const doc = "```";\nRESULT = { doc };'),
    'const doc = "```";\nRESULT = { doc };',
  ],
  ['only a shell command', fenced('node solution.js', 'bash'), null],
  [
    'Python where JavaScript is asked',
    fenced('import requests\nRESULT = requests.get(BASE_URL).json()', 'python'),
    null,
  ],
  ['Python without a tag', fenced('import requests\ndef main():\n    return 1\nRESULT = main()', ''), null],
  [
    'a plan without code',
    '1. Call `GET /api/sessions/a/b`.\n2. Take the first session.\n3. Set RESULT to it.',
    null,
  ],
  ['a byte-order mark', `\uFEFF${fenced(program)}`, program],
  // The name of the language on a line of its own.
  ['the language above code without a fence', `javascript\n${program}`, program],
  ['the language and a button above the code', `JavaScript\nCopy code\n${program}`, program],
  ['the language in bold above the code', `**JavaScript:**\n\n${program}`, program],
  ['the language in the first line of a block without a tag', fenced(`javascript\n${program}`, ''), program],
  ['the language in the first line of a block with a tag', fenced(`js\n${program}`), program],
  ['another language in the first line of a block', fenced('python\nRESULT = 1', ''), null],
  // A fence in a line with something else.
  ['a fence behind text', `Answer: ${fenced(program)}`, program],
  ['a fence behind text, without a tag', `Here is the program: ${fenced(program, '')}\nIt lists.`, program],
  [
    'a fence behind text that has one before',
    `Use this:\n${fenced('RESULT = { a: 0 };')}\nor, better: ${fenced(program)}`,
    program,
  ],
  ['the first line of code behind the fence', `\`\`\`javascript ${program}\n\`\`\``, program],
  ['the first line of code behind the fence, without a tag', `\`\`\`${program}\n\`\`\``, program],
  ['all in one line', '```js RESULT = { a: 1 };```', 'RESULT = { a: 1 };'],
  ['all in one line without a tag', '```RESULT = { a: 1 };```', 'RESULT = { a: 1 };'],
  ['the closing fence behind the last line of code', `\`\`\`js\n${program}\`\`\``, program],
  [
    'the closing fence behind the last line of code, and text',
    `\`\`\`js\n${program}\`\`\`\nIt lists.`,
    program,
  ],
  ['only the closing fence: the prompt had the opening one', `${program}\n\`\`\``, program],
  ['only the closing fence, and text', `${program}\n\`\`\`\nThis lists the sessions.`, program],
  ['prose that names a fence', `Write \`\`\`js before it.\n${fenced(program)}`, program],
  [
    'code beside a block of another language',
    `${fenced('{ "a": 1 }', 'json')}\nThe program:\n\n${program}`,
    program,
  ],
  // Fences inside the program.
  [
    'a fence in a comment',
    fenced(`/*\n\`\`\`\nexample\n\`\`\`\n*/\n${program}`),
    `/*\n\`\`\`\nexample\n\`\`\`\n*/\n${program}`,
  ],
  [
    'an example in the comment of a function',
    fenced(`/**\n * \`\`\`js\n * go()\n * \`\`\`\n */\n${program}`),
    `/**\n * \`\`\`js\n * go()\n * \`\`\`\n */\n${program}`,
  ],
  [
    'a fence in a template',
    `~~~js\nconst t = \`\n~~~\n\`;\nRESULT = { t };\n~~~`,
    'const t = `\n~~~\n`;\nRESULT = { t };',
  ],
  [
    'two fences in a template',
    `~~~js\nconst t = \`\n~~~py\nx\n~~~\n\`;\nRESULT = { t };\n~~~\nDone.`,
    'const t = `\n~~~py\nx\n~~~\n`;\nRESULT = { t };',
  ],
  [
    'fences in a template, without a fence around',
    'const t = `\n~~~\nx\n~~~\n`;\nRESULT = { t };',
    'const t = `\n~~~\nx\n~~~\n`;\nRESULT = { t };',
  ],
  [
    'escaped fences in a template',
    fenced('const t = `\n\\`\\`\\`\n`;\nRESULT = { t };'),
    'const t = `\n\\`\\`\\`\n`;\nRESULT = { t };',
  ],
  [
    'a template that never ends, then the program',
    `${fenced('const t = `;\nRESULT = 0;')}\nCorrected:\n${fenced(program)}`,
    program,
  ],
  [
    'a block of Markdown around the block',
    `\`\`\`markdown\nThe program:\n${fenced(program)}\n\`\`\``,
    program,
  ],
  ['a longer fence around the whole answer', `\`\`\`\`\n${fenced(program)}\n\`\`\`\``, program],
]
const extract = (answer: string, language: Language) => {
  const one = found(answer, language)
  return 'code' in one ? one.code : null
}
test.each(answers)('%s', (_, answer, code) => {
  expect(extract(answer, 'javascript')).toBe(code)
})

const why: [string, string, RegExp][] = [
  ['nothing at all', ' \n', /is empty/],
  ['a refusal', 'I’m sorry, but I can’t help with that.', /prose/],
  ['thoughts that were cut off', '<think>\nFirst I list the sessions, then', /ends within its thoughts/],
  ['an empty block', fenced(''), /is empty/],
  ['blocks that are all empty', `${fenced('')}\n${fenced(' \n', '')}`, /is empty/],
  ['comments only', fenced('// nothing to do'), /only comments/],
  ['a block of prose', fenced('I can’t do that.', ''), /no code in the language/],
  ['another language', fenced('print(1)', 'python'), /only code block of the answer is python/],
  ['only data', fenced('{ "RESULT": 1 }', ''), /no code in the language/],
]
test.each(why)('why there is no code: %s', (_, answer, reason) => {
  expect(found(answer, 'javascript')).toEqual({ none: expect.stringMatching(reason) })
})

test('there are enough answers, and every form is found in Python as well', () => {
  expect(answers.length + why.length).toBeGreaterThanOrEqual(60)
  const python =
    'import requests\nresponse_0 = requests.get(f"{BASE_URL}/api/sessions/a/b").json()\nRESULT = { "listing": response_0 }'
  for (const answer of [
    python,
    fenced(python, 'py'),
    fenced(python, ''),
    `Here you are:\n\n~~~python\n${python}\n~~~\nDone.`,
    `<think>\nhm\n</think>\n${fenced(python, 'python3')}`,
    JSON.stringify({ code: python }),
    `Sure! The program:\n\n${python}\n\nIt lists the sessions.`,
    `python\n${python}`,
    `Python:\n\n${python}`,
    fenced(`python\n${python}`, ''),
    `Answer: ${fenced(python, 'python')}`,
    `\`\`\`python ${python}\n\`\`\``,
    `${python}\n\`\`\`\nIt lists.`,
    `\`\`\`python\n${python}\`\`\``,
  ])
    expect([answer, extract(answer, 'python')]).toEqual([answer, python])
})

test.each([
  ['one block', 'note = \"\"\"\n```\nexample\n```\n\"\"\"\nRESULT = { "note": note }'],
  ['a block with a tag', "note = '''\n```python\nRESULT = 1\n```\n'''\nRESULT = { 'note': note }"],
  [
    'two blocks',
    'note = f\"\"\"Two:\n```python\na = 1\n```\nand\n```python\nb = 2\n```\n\"\"\"\nRESULT = { "note": note }',
  ],
  [
    'a block that begins and ends beside the quotes',
    'note = \"\"\"```python\nx = 1\n```\"\"\"\nRESULT = { "note": note }',
  ],
])('fences in a string of Python: %s', (_, python) => {
  expect(extract(fenced(python, 'python'), 'python')).toBe(python)
  expect(extract(`Here:\n\n${fenced(python, '')}\nDone.`, 'python')).toBe(python)
  expect(extract(python, 'python')).toBe(python)
})

test('a string that never ends does not swallow the block that follows', () => {
  const answer = `${fenced('note = \"\"\"\nRESULT = 0', 'python')}\nCorrected:\n${fenced('note = \"\"\"x\"\"\"\nRESULT = 1', 'python')}`
  expect(extract(answer, 'python')).toBe('note = \"\"\"x\"\"\"\nRESULT = 1')
})

test('Python has its own tags', () => {
  expect(extract(`${fenced('x', 'js')}\n${fenced('RESULT = {}', 'python')}`, 'python')).toBe('RESULT = {}')
})

test('hostile answers take bounded effort', () => {
  for (const text of [
    '`'.repeat(1e6),
    '```\n'.repeat(2e5),
    '<think>'.repeat(1e5),
    ' '.repeat(1e6),
    'const RESULT = '.repeat(5e4),
    '{'.repeat(1e6),
    `RESULT await ${'('.repeat(1e5)}`,
  ]) {
    expect(leastEffort(() => extract(text, 'javascript'), 2000)).toBeLessThanOrEqual(2000)
  }
})
