/** Laws of the reader: it changes nothing that it does not understand, and no draft is read. */
import { expect, test } from '@jest/globals'
import { type Language, maxCode } from '@stateeval/contracts'
import fc from 'fast-check'
import {
  codeMarks,
  listAnswerMarks,
  readBlocks,
  readProgram,
  readText,
  thoughtSpellings,
  tokenFamilies,
} from '../src/index.ts'
import { corpus } from './corpus.ts'

const isLong = process.env['STATEEVAL_LONG'] === '1'
const numRuns = isLong ? 10_000 : 200

const tokens = [...new Set(tokenFamilies.flatMap(({ ends, begins = [] }) => [...ends, ...begins]))]
const spellings = thoughtSpellings.flatMap(({ open, close }) =>
  open.map((one) => [one.replace('…', ' done="true"'), close[0] as string] as const),
)
const marks = codeMarks.flatMap(({ open, close = '' }) => [open, close])
const anyToken = fc.constantFrom(...tokens)
const anySpelling = fc.constantFrom(...spellings)

/** Whatever stands in a line of a program: code, marks of every kind, blanks, fences, odd characters. */
const piece = fc.oneof(
  fc.constantFrom(...tokens, ...spellings.flat(), ...marks),
  fc.constantFrom(
    'const a = 1;',
    'x = `',
    '"""',
    "'",
    '"',
    '```',
    '~~~',
    '```js',
    '> ',
    '- ',
    '#',
    '//',
    '/*',
  ),
  fc.constantFrom(
    ' ',
    '\t',
    '\r',
    '\\',
    '{',
    '}',
    '[',
    '\u2028',
    '\ufeff',
    '\0',
    '😀',
    'é',
    'assistant',
    'analysis',
  ),
  fc.string({ maxLength: 12 }),
)
const anyLine = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join('').replaceAll('\n', ''))
/** Its first line sets RESULT, so that it is code; what follows is anything. */
const anyProgram = fc.array(anyLine, { maxLength: 8 }).map((lines) => ['RESULT = 1', ...lines].join('\n'))
const plain: Readonly<Record<Language, string>> = {
  javascript: "const axios = require('axios');\nRESULT = { a: 1 };",
  python: 'import requests\nRESULT = {"a": 1}',
}
const language = fc.constantFrom<Language[]>('javascript', 'python')
const fence = fc.constantFrom('```', '~~~')

/** A fence that nothing in the program closes. */
function fenceFor(code: string, sign: string): string {
  let fence = sign.repeat(3)
  while (code.includes(fence)) fence += sign
  return fence
}

test('a program in a plain fence comes back byte for byte', () => {
  fc.assert(
    fc.property(anyProgram, language, fc.constantFrom('`', '~'), (code, tag, sign) => {
      const run = fenceFor(code, sign)
      expect(readProgram(`${run}${tag}\n${code}\n${run}`, tag)).toEqual({ code })
      expect(readProgram(`Here it is:\n\n${run}${tag}\n${code}\n${run}\n\nIt sets RESULT.`, tag)).toEqual({
        code,
      })
    }),
    { numRuns },
  )
})

test('a program of several lines without a fence comes back as well', () => {
  for (const one of ['javascript', 'python'] as const)
    expect(readProgram(plain[one], one)).toEqual({ code: plain[one] })
})

test.each(tokens)('%s around a program leaves the program', (token) => {
  for (const one of ['javascript', 'python'] as const)
    for (const run of ['```', '~~~']) {
      const open = `${run}${one}\n${plain[one]}`
      for (const answer of [
        `${open}\n${run}${token}`,
        `${open}\n${run} ${token}\n`,
        `${open}\n${run}\n${token}\n`,
        `${open}${token}`,
        `${open}\n${token}\n`,
        `${open}\n${run}${token}${token}`,
        `${token}${open}\n${run}`,
        `${token}assistant\n${open}\n${run}`,
        `${open}\n${run}${token}\nuser\nThanks!\n${open}0\n${run}`,
        `${plain[one]}${token}`,
        `${plain[one]}\n${token}\n`,
      ])
        expect([answer, readProgram(answer, one)]).toEqual([answer, { code: plain[one] }])
    }
})

test('a token of no known family behind the closing fence leaves the program, and is told', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^<\|[a-z_:/]{1,20}\|>$|^<｜[a-z▁]{1,20}｜>$/), {
        minLength: 1,
        maxLength: 3,
      }),
      language,
      fence,
      (unknown, tag, run) => {
        const answer = `${run}${tag}\n${plain[tag]}\n${run}${unknown.join('')}`
        expect(readProgram(answer, tag)).toEqual({ code: plain[tag] })
        // Behind plain text it stays, as no reader knows it: a report warns of it.
        for (const one of [answer, `It is 5.${unknown.join('')}\n`])
          expect(listAnswerMarks(one).leftover).toBe(unknown.at(-1))
      },
    ),
    { numRuns },
  )
})

test('any leftovers around any program', () => {
  fc.assert(
    fc.property(
      anyProgram,
      fc.array(anyToken, { maxLength: 3 }),
      fc.array(anyToken, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '\n', ' '),
      language,
      (code, before, behind, gap, tag) => {
        const run = fenceFor(code, '`')
        const answer = `${before.join('')}${run}${tag}\n${code}\n${run}${gap}${behind.join('')}`
        expect(readProgram(answer, tag)).toEqual({ code })
      },
    ),
    { numRuns },
  )
})

const draft = 'RESULT = "draft"'
test('no draft within a thought is read', () => {
  const said = fc.constantFrom(
    (o: string, c: string, f: string) => `${o}\n${f}js\n${draft}\n${f}\n${c}\n`,
    (o: string, c: string, f: string) => `${o}\n${f}js\n${draft}\n${c}\n`,
    (o: string, c: string, f: string) => `${o}${draft}${c}\n${f}js\nRESULT = 1\n${f}`,
    (o: string, _: string, f: string) => `${o}\n${f}js\n${draft}\n${f}\n`,
    (_: string, c: string, f: string) => `So\n${f}js\n${draft}\n${f}\n${c}\n${f}js\nRESULT = 1\n${f}`,
    (_: string, c: string, f: string) => `So\n${f}js\n${draft}\n${c}\n${f}js\nRESULT = 1\n${f}`,
    (o: string, c: string, f: string) => `${f}js\nRESULT = 1\n${f}\n${o}\n${f}js\n${draft}\n${f}\n${c}`,
    (o: string, c: string, f: string) => `${o}a\n${o}b\n${c}\n${f}js\n${draft}\n${f}\n${c}`,
  )
  fc.assert(
    fc.property(said, anySpelling, fence, fc.option(anyToken), (make, [open, close], run, token) => {
      const reading = readProgram(`${make(open, close, run)}${token ?? ''}`, 'javascript')
      expect('code' in reading ? reading.code : '').not.toContain(draft)
    }),
    { numRuns },
  )
})

test('any mutation of any answer is read, and what is read is read as itself', () => {
  const answer = fc.constantFrom(...corpus.map((one) => one.answer).filter((one) => one.length > 0))
  const change = fc.tuple(fc.nat(), fc.nat(40), fc.oneof(piece, fc.constant(''), answer))
  fc.assert(
    fc.property(answer, fc.array(change, { minLength: 1, maxLength: 4 }), language, (text, changes, one) => {
      let changed = text
      for (const [at, length, put] of changes) {
        const from = at % (changed.length + 1)
        changed = changed.slice(0, from) + put + changed.slice(from + length)
      }
      const reading = readProgram(changed, one)
      expect(readProgram(changed, one)).toEqual(reading)
      if ('none' in reading) expect(reading.none).not.toBe('')
      else {
        expect(reading.code.length).toBeLessThanOrEqual(Math.max(maxCode, changed.length))
        const run = fenceFor(reading.code, '`')
        const again = readProgram(`${run}${one}\n${reading.code}\n${run}`, one)
        expect(again).toEqual({ code: reading.code })
      }
      const said = readText(changed)
      if (said !== null) expect(said.length).toBeLessThanOrEqual(changed.length)
    }),
    { numRuns },
  )
})

const nothing = { leftover: null, thought: null, endsInThought: false }

test('the marks that are cut are told: a leftover token, a thought, and whether it has an end', () => {
  const text = 'It is 5.'
  expect(listAnswerMarks(text)).toEqual(nothing)
  fc.assert(
    fc.property(anyToken, (token) => {
      const { leftover, endsInThought } = listAnswerMarks(`${text}${token}`)
      // A longer token may end with a shorter one.
      expect([leftover?.endsWith(token) ?? token, endsInThought]).toEqual([true, false])
    }),
    { numRuns },
  )
  fc.assert(
    fc.property(anySpelling, ([open, close]) => {
      const whole = listAnswerMarks(`${open}\nHm.\n${close}\n${text}`)
      expect(whole).toEqual({ ...nothing, thought: open })
      expect(listAnswerMarks(`${open}\nHm.`)).toEqual({ ...whole, endsInThought: true })
    }),
    { numRuns },
  )
  expect(listAnswerMarks(`${text}<|im_end|>\n<|im_start|>user\nAnd 3 + 4?`)).toEqual({
    ...nothing,
    leftover: '<|im_end|>',
  })
  // Quoted marks, and those in a block, belong to the text.
  for (const quoted of ['A turn ends with `<|im_end|>`', '```js\nconst end = "</think>";\n```'])
    expect(listAnswerMarks(quoted)).toEqual(nothing)
})

test('marks are told exactly where something is cut', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 8 }), (lines) => {
      const answer = lines.join('\n')
      const { leftover, thought } = listAnswerMarks(answer)
      const clean = answer.replace(/^\uFEFF/, '')
      if (thought !== null) expect(readText(answer)).not.toBe(clean)
      if (leftover !== null) expect(answer).toContain(leftover)
    }),
    { numRuns },
  )
})

/** Everything that may stand before a program without being a part of it. */
const heading = fc.oneof(
  fc.constantFrom('name', 'name:', '**name**', '**name:**\nCopy code', 'NAME\nCopied!', ' name ', ''),
  anySpelling.map(([open, close]) => `${open}\nHm.\n${close}`),
)
/** Blank lines before a program change nothing. */
const removeBlankLines = (code: string) => code.replace(/^\s*\n/, '')
/** An answer that gives a program, by how it does. */
const forms: Readonly<Record<string, (program: string, tag: Language) => string>> = {
  'a fence': (program, tag) => `\`\`\`${tag}\n${program}\n\`\`\``,
  'an untagged fence': (program) => `Here:\n~~~\n${program}\n~~~`,
  'a mark': (program, tag) =>
    tag === 'python' ? `[PYTHON]\n${program}\n[/PYTHON]` : `<js>\n${program}\n</js>`,
  'a mark for any language': (program) => `<code>\n${program}\n</code>`,
  JSON: (program) => JSON.stringify({ code: program }),
  'JSON in a fence': (program) => `\`\`\`json\n${JSON.stringify({ code: program })}\n\`\`\``,
  'a fence in JSON in a fence': (program, tag) =>
    forms['JSON in a fence']!(forms['a fence']!(program, tag), tag),
  'plain code': (program) => program,
}

test.each(Object.entries(forms))(
  '%s: names of the language and thoughts before a program are not of it',
  (_, make) => {
    fc.assert(
      fc.property(language, fc.array(heading, { maxLength: 4 }), (tag, headings) => {
        const before = headings.map((one) => one.replace('name', tag).replace('NAME', tag.toUpperCase()))
        const answer = make([...before, plain[tag]].join('\n'), tag)
        const reading = readProgram(answer, tag)
        expect([answer, 'code' in reading ? removeBlankLines(reading.code) : reading]).toEqual([
          answer,
          plain[tag],
        ])
        // Other readers take blocks, and what has none as it stands.
        if (make === forms.JSON || make === forms['plain code']) return
        const blocks = readBlocks(answer, tag)?.blocks.map(({ code }) => removeBlankLines(code))
        expect([answer, blocks]).toEqual([answer, [plain[tag]]])
      }),
      { numRuns },
    )
  },
)

test('comments alone are no program, in any form', () => {
  for (const make of Object.values(forms))
    expect(readProgram(make('// RESULT = await 1', 'javascript'), 'javascript')).toHaveProperty('none')
})
