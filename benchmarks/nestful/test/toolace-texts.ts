/** Random texts in and around the syntax of ToolACE's answers. */
import { createRng } from '@stateeval/program'

type Rng = ReturnType<typeof createRng>

const names = ['f', 'g', 'x', 'true', 'null', 'Zé', 'a_1', 'constructor', 'ﬁ', '変数']
const numbers = [
  ...'0 1 2 7 10 1_000 0x1F 0o17 0b101 00 12345678901234567890 1.5 .5 5. 1e5 1E-7 1e999 0.1 1e16 00.5 1.0'.split(
    ' ',
  ),
  ...['True', 'False', 'None', '...'],
]
const texts = [
  ...[
    "'a'",
    '"b"',
    "''",
    `"it's"`,
    `'"'`,
    "r'\\n'",
    "u'é'",
    "'''t\n'''",
    '"""x"y"""',
    "'a' 'b'",
    "'é😀\u200b'",
  ],
  ...[
    "'\\n\\t'",
    "'\\/'",
    "'\\0'",
    "'\\x41'",
    "'\\u00e9'",
    "'\\ud83d'",
    "'\\U0001F600'",
    "'\\777'",
    "'\\\n'",
  ],
]
const faults = [
  ...[
    '007',
    '1__0',
    '0xg',
    '1_',
    '2j',
    '1.5J',
    '1e',
    'get-x',
    "b'x'",
    'B"\\xff\\n"',
    "f'x'",
    "rb'\\d'",
    "ur'x'",
  ],
  ...[
    "'\\x4'",
    "'\\U00110000'",
    "'a' b'b'",
    "'a\nb'",
    "'open",
    '"\\N{DASH}"',
    "b'é'",
    '1if',
    '0or 1',
    "'\\q'",
  ],
]
const literal = (rng: Rng) => rng.pick(rng.chance(0.03) ? faults : rng.chance(0.5) ? numbers : texts)
const binary = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '**',
  '<<',
  '>>',
  '&',
  '|',
  '^',
  '@',
  'and',
  'or',
  '<',
  '==',
  'not in',
  'is not',
  '<>',
]
const blanks = ['', '', '', '', ' ', ' ', '  ', '\t', '\n', '\\\n', '\f', '# c\n', '\r\n', '\u00a0']

/** A text that is mostly Python, with some faults. */
export function toolaceText(seed: string): string {
  const rng = createRng(seed)
  const calls = Array.from({ length: rng.int(1, 3) }, () => call(rng, 3))
  const usual = rng.chance(0.9)
  const open = rng.pick(usual ? ['[', "'[", ''] : ['((', ' '])
  const comma = rng.pick(usual ? [', ', ','] : [',\n', ' '])
  const close = rng.pick(usual ? [']', "]'", '', '\n]'] : ['\n  ]', ',]', ')'])
  const text = open + calls.join(comma) + close
  return rng.chance(0.25) ? mutated(rng, text) : text
}

/** One character deleted, doubled, or exchanged. */
function mutated(rng: Rng, text: string): string {
  const at = rng.int(0, text.length)
  const added = rng.pick([
    '',
    '',
    ...'()[]{},:=.*-"\'\\#\n 0aé;!@',
    ':=',
    '**',
    'lambda: ',
    'not ',
    ' if x else ',
    ' for x in y',
  ])
  return text.slice(0, at) + added + text.slice(at + rng.int(0, 1))
}

function call(rng: Rng, depth: number): string {
  const of = rng.pick(['f', 'g', rng.pick(names), 'a.b.c', 'a. b', 'x[0].f', '"".join', 'g()', '(f)'])
  const args = Array.from({ length: rng.int(0, 3) }, () => {
    const value = expression(rng, depth - 1)
    if (rng.chance(0.8)) return `${rng.pick(names)}${blank(rng)}=${blank(rng)}${value}`
    return rng.pick([value, `*${value}`, `**${value}`])
  })
  return `${of}(${args.join(`,${blank(rng)}`)}${rng.chance(0.1) ? ',' : ''})`
}
const blank = (rng: Rng) => (rng.chance(0.97) ? '' : rng.pick(blanks))

function expression(rng: Rng, depth: number): string {
  const next = () => blank(rng) + expression(rng, depth - 1) + blank(rng)
  const list = () => Array.from({ length: rng.int(0, 3) }, next).join(',') + (rng.chance(0.2) ? ',' : '')
  if (depth <= 0) return rng.chance(0.25) ? rng.pick(names) : literal(rng)
  switch (rng.int(0, 20)) {
    case 0:
      return `[${list()}]`
    case 1:
      return `(${list()})`
    case 2:
      return `{${Array.from({ length: rng.int(0, 3) }, () => `${next()}:${next()}`).join(',')}}`
    case 3:
    case 4:
      return `${next()}${rng.chance(0.5) ? ' ' : ''}${rng.pick(binary)} ${next()}`
    case 5:
      return arithmetic(rng, depth)
    case 6:
      return `${rng.pick(['-', '+', '~', 'not ', '--'])}${next()}`
    case 7:
      return `${next()}[${rng.pick([next(), `${next()}:${next()}`, '::2', `${next()},`, `1:2,${next()}`, `*${next()}`, ''])}]`
    case 8:
      return call(rng, depth)
    case 9:
      return `${next()}.${rng.pick(names)}`
    case 10:
      return rng.pick([
        `${next()} if ${next()} else ${next()}`,
        `{${list()}}`,
        `{**${next()}, 1: 2}`,
        `[*${next()}]`,
      ])
    case 11:
      return `(${next()})`
    default:
      return literal(rng)
  }
}

/** On literals alone, so that much of it can be computed. */
function arithmetic(rng: Rng, depth: number): string {
  const operand = (): string => {
    if (depth > 1 && rng.chance(0.4)) return `(${arithmetic(rng, depth - 1)})`
    const items = rng.pick(['1', '2.5', "'a'", '1, 2', "'k': 1"])
    return rng.pick([
      '0',
      '1',
      '2',
      '3',
      '7',
      '10',
      '-2',
      '0.1',
      '2.5',
      '1e300',
      'True',
      '~5',
      "'ab'",
      '[1]',
      `[${items}]`,
      `(${items},)`,
      `{${items}}`,
    ])
  }
  return (
    Array.from({ length: rng.int(1, 3) }, () => `${operand()} ${rng.pick(binary.slice(0, 13))} `).join('') +
    operand()
  )
}
