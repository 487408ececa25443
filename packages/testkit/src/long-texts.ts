/** Texts of the maximum answer length, in shapes that slow readers down, and the effort of reading them. */
import { leastEffort } from './each-time.ts'

/** The maximum length of a stored answer. */
export const longest = 2_000_000

const repeated = (unit: string) => (length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const between = (head: string, unit: string, tail: string) => (length: number) =>
  head + repeated(unit)(Math.max(0, length - head.length - tail.length)) + tail
const numbered = (line: (n: number) => string) => (length: number) => {
  const lines: string[] = []
  for (let n = 0, size = 0; size < length; n++) {
    const next = line(n)
    lines.push(next)
    size += next.length
  }
  return lines.join('').slice(0, length)
}

const js = '```javascript\n'
const py = '```python\n'
/** Characters that readers look for, and pieces of code and of answers. */
const units: Readonly<Record<string, string>> = {
  newlines: '\n',
  'returns and newlines': '\r\n',
  returns: '\r',
  'line separators': '\u2028',
  blanks: ' ',
  tabs: '\t',
  'blank lines': ' \t\n',
  'unbreakable blanks': '\u00a0',
  backticks: '`',
  tildes: '~',
  fences: '```\n',
  'fences with a tag': js,
  'fences with other tags': '```text\n',
  'closed fences': '```js\nx\n```\n',
  'fences of tildes': '~~~\n',
  'fences in a line': '``` ',
  'fences behind text': 'Answer: ```javascript\n',
  'fences behind code': 'x```\n',
  'quoted fences': '> ```\n',
  quotations: '>',
  'lists of fences': '- ```js\n  x\n  ```\n',
  hashes: '#',
  stars: '*',
  dashes: '-',
  'double quotes': '"',
  'single quotes': "'",
  'triple quotes': '"""',
  'quotes and newlines': '"\n',
  backslashes: '\\',
  'escaped backticks': '\\`',
  commas: ',',
  semicolons: ';',
  colons: ':',
  dots: '.',
  equals: '=',
  slashes: '/',
  'comment starts': '/*',
  'comment ends': '*/',
  comments: '// x\n',
  'open parentheses': '(',
  'closed parentheses': ')',
  parentheses: '()',
  'open brackets': '[',
  brackets: '[]',
  'open braces': '{',
  braces: '{}',
  'template braces': '${',
  'closed lines': '})];\n',
  'endings with comments': ')//',
  'arrows of types': ')->',
  tags: '<a>',
  'tags of code': '<code>\n',
  'open tags': '<',
  thoughts: '<think>',
  'ends of thoughts': '</think>',
  'stop tokens': '<|im_end|>',
  'lines of stop tokens': '<|im_end|>\n',
  turns: '<|im_end|>\n<|im_start|>assistant\n',
  'sequence tokens': '<s>',
  'ends of sequences': 'x</s> ',
  'messages of gpt-oss': '<|channel|>analysis<|message|>x<|end|>',
  'analysis words': 'analysisX',
  'quoted thoughts': '`<think>` ',
  'quoted ends of thoughts': '"</think>" ',
  'nested thoughts': '<think><think></think>',
  'ends of thoughts in blocks': '```js\n</think>\n',
  'stop tokens in blocks': '```js\n<|im_end|>\n<|im_end|>\n',
  'longer and longer fences': '```\n````\n`````\n',
  'marks of code': '[PYTHON]',
  'pairs of marks of code': '<code>x</code>',
  'files behind fences': '```a/b/c.js ',
  'thoughts and fences': '<think>\n```\n</think>\n',
  'language words': 'javascript\n',
  'language words in a line': 'python ',
  imports: 'import ',
  'import lines': 'import x\n',
  'from lines': 'from x import y\n',
  'def lines': 'def f(',
  constants: 'const ',
  'open patterns': 'const {\n',
  'let lines': 'let a\n',
  results: 'RESULT ',
  'set results': 'RESULT = ',
  'result lines': 'RESULT = {};\n',
  awaits: 'await ',
  requires: 'require(',
  axios: 'axios.',
  'calls of axios': "axios.get('/a');\n",
  'open calls of axios': 'axios.get(',
  'calls that go on': '.then(x)',
  'diff lines': '+x\n-x\n',
  'parts of a diff': '@@ -1 +1 @@\n-x\n+y\n',
  causes: 'Cause:',
  'cause lines': 'Cause: x\n',
  'because lines': 'Because: ',
  decisions: '<OK>\n',
  headings: '# Instruction\n',
  words: 'word ',
  'one word': 'a',
  digits: '0',
  zeros: '\u0000',
  'letters beyond ASCII': 'é',
  emojis: '😀',
  'half characters': '\ud800',
  'byte-order marks': '\ufeff',
}

/** What the shape is a program of, or an answer with one, to its end. */
const answers: Readonly<Record<string, (length: number) => string>> = {
  'a line, newlines, a line': between('Here\n', '\n', 'x'),
  'code, newlines, code': between('const a = 1;\n', '\n', '\nRESULT = { a };'),
  'RESULT, blanks': between('RESULT', ' ', 'x'),
  'const, blanks': between('const ', ' ', 'x'),
  'a block of newlines': between(js, '\n', '\n```'),
  'a block of blanks': between(js, ' ', '\n```'),
  'a block of comments': between(js, '// x\n', '\n```'),
  'a block that is open': between(js, 'let a;\n', ''),
  'a block of templates': between(js, 'x = `\n```\n`;\n', '```'),
  'a block of strings': between(py, 'x = """\n```\n"""\n', '```'),
  'a block with an open string': between(`${py}x = """\n`, '```\ntext\n', ''),
  'blocks with open strings': (length) => repeated(`${py}x = """\nRESULT = 1\n\`\`\`\n`)(length),
  'a program and a diff of equal lines': (length) =>
    between(`${js}${repeated('x\n')(length / 2)}\`\`\`\n\`\`\`diff\n`, '-x\n', '-y\n```\n')(length),
  'a program and a diff of many parts': (length) =>
    between(
      `${js}${repeated('x\n')(length / 2)}RESULT = 1\n\`\`\`\n\`\`\`diff\n`,
      '@@ -1 +1 @@\n-x\n+y\n',
      '```\n',
    )(length),
  'pieces of a program': numbered((n) => `${js}const a${n} = 1;\nconst b = [\n\`\`\`\n`),
  'variables of a block': (length) => `${js}${numbered((n) => `let a${n};\n`)(length)}\nRESULT = a1;\n\`\`\``,
  'exports of a block': (length) =>
    `${js}${numbered((n) => `export const a${n} = 1;\n`)(length)}\nRESULT = 1;\n\`\`\``,
  'code without a fence': (length) =>
    `${numbered((n) => `const a${n} = f(${n});\n`)(length)}RESULT = { a: 1 };`,
  'tags between lines of code': (length) => `${repeated('<code>\n\nx = 1;\n\n')(length)}RESULT = { a: 1 };`,
  'JSON with code': (length) => JSON.stringify({ code: repeated('x = 1;\n')(length / 2) }),
  'JSON in JSON': (length) =>
    JSON.stringify(JSON.stringify(JSON.stringify({ code: repeated('"')(length / 16) }))),
  'nested JSON': (length) => `{"code":${repeated('[')(length)}}`,
  'a list of JSON': (length) => `{"samples": [${repeated('{"task": "a"},')(length)}{}]}`,
  'random characters': (length) => {
    const from = '\n`"\'()[]{}<>/\\*=;:. \tab'
    let [state, text] = [1, '']
    while (text.length < length) text += from[(state = (state * 48_271) % 2_147_483_647) % from.length]
    return text
  },
}

/** Texts of a given length, by shape. */
export const longTexts: readonly (readonly [name: string, make: (length: number) => string])[] = [
  ...Object.entries(units).map(([name, unit]) => [name, repeated(unit)] as const),
  ...Object.entries(units).map(
    ([name, unit]) => [`RESULT = 1, ${name}, x`, between('RESULT = 1;\n', unit, 'x')] as const,
  ),
  ...Object.entries(answers),
]

/** For so many times the text, so many times the effort may be. */
const maxGrowth = (times: number) => 1.5 * times
const noise = 200
/**
 * How long texts are in every run; with STATEEVAL_LONG they are as long as they may be. What is quadratic
 * shows in both.
 */
const usualLength = process.env['STATEEVAL_LONG'] ? longest : longest / 20

/**
 * The fault of a reader: more than `perMillion` of effort per million characters, or far more than four times
 * the effort for four times the text. Null if there is none. It begins with short texts, so that a slow
 * reader is found quickly.
 */
export function slowness(
  read: (text: string) => unknown,
  make: (length: number) => string,
  { perMillion = 1000, length = usualLength, maxMs = undefined as number | undefined } = {},
): string | null {
  let before = Infinity
  for (const part of [64, 16, 4, 1]) {
    const text = make(length / part)
    const limit = noise + Math.min((perMillion * text.length) / 1e6, maxGrowth(4) * before)
    const effort = leastEffort(() => read(text), limit, maxMs)
    if (effort > limit)
      return `${text.length} characters took an effort of ${Math.round(effort)}, ${Math.round(limit)} is allowed`
    before = effort
  }
  return null
}
