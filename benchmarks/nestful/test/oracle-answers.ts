/**
 * Random samples of version 2 with answers to them: gold lists that were changed, in the format of a model
 * family, with the noise that models add.
 */
import { createRng } from '@stateeval/program'
import { families, type AnswerFamily } from '../answer/released.ts'
import { basicFunctions } from '../functions/basic.ts'
import { runFunctions } from '../functions/run.ts'

type Rng = ReturnType<typeof createRng>
type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Call = { [key: string]: Json }

export interface OracleSample {
  family: AnswerFamily
  text: string
  gold: Call[]
  /** By name: its output parameters. Its parameters are as `parametersOf` says. */
  tools: Record<string, string[]>
  /** The gold answer, as JSON text. */
  answer: string
}

/** `toolace.test.ts` compares the other one. */
const compared = families.filter((family) => family !== 'toolace' && family !== 'gpt')
const names = Object.keys(basicFunctions)
const spellings = ['$var_', '$var', 'var', 'var_', '$x', 'step']
const texts = [
  '',
  'a',
  'é',
  '$100',
  '$100-$200',
  '$',
  '$$',
  "it's",
  '"',
  'a, b',
  '<|endoftext|>',
  '😀',
  'True',
  'x.y',
]

function number(rng: Rng): Json {
  return rng.chance(0.6) ? rng.int(-4, 12) : rng.pick([0.5, 2.5, -1.5, 1e-5, 1e22, 0.1, 3.75])
}
function value(rng: Rng, label: (rng: Rng) => string, depth = 2): Json {
  if (rng.chance(0.45)) return number(rng)
  if (rng.chance(0.6)) return reference(rng, label)
  if (rng.chance(0.4)) return rng.pick([...texts, true, false, null])
  if (depth === 0) return 1
  const items = Array.from({ length: rng.int(0, 3) }, () => value(rng, label, depth - 1))
  return rng.chance(0.7) ? items : Object.fromEntries(items.map((item, at) => [`k${at}`, item]))
}
function reference(rng: Rng, label: (rng: Rng) => string): string {
  const plain = label(rng).replaceAll('$', '')
  return rng.pick([
    ...Array.from({ length: 8 }, () => `$${plain}.result$`),
    ...[`$${plain}$`, `$${plain}.result`, `$$${plain}.result$`, `$${plain}.other$`, `${plain}.result$`],
    ...[
      `$${plain}.result$ - $var_2.result$`,
      `2 * $${plain}.result$`,
      `$${plain}.result.x$`,
      `$${plain}[0]$`,
    ],
  ])
}

function goldCalls(rng: Rng): Call[] {
  const spelling = rng.pick(spellings)
  const count = rng.int(1, 5)
  return Array.from({ length: count }, (_, at) => {
    const name = rng.chance(0.05) ? 'dummy' : rng.pick(names)
    const earlier = (itemRng: Rng) =>
      spelling + (itemRng.chance(0.1) ? itemRng.int(0, 7) : itemRng.int(1, Math.max(1, at)))
    const parameters = Object.hasOwn(basicFunctions, name) ? basicFunctions[name]!.parameters : []
    const args = parameters.map((_, place): [string, Json] => {
      if (rng.chance(0.1)) return [`arg_${place}`, value(rng, earlier)]
      if (name.endsWith('_number')) return [`arg_${place}`, [number(rng), number(rng)]]
      return [
        `arg_${place}`,
        at > 0 && rng.chance(0.5) ? `$${earlier(rng).replaceAll('$', '')}.result$` : number(rng),
      ]
    })
    return { name, label: `${spelling}${at + 1}`, arguments: Object.fromEntries(args) }
  })
}

/** What models do to a list of calls. */
function changed(rng: Rng, calls: readonly Call[], tools: readonly string[]): Json[] {
  let list: Json[] = structuredClone(calls) as Call[]
  for (let left = rng.pick([0, 1, 1, 2, 4]); left > 0; left--) {
    const at = rng.int(0, list.length - 1)
    const call = list[at]
    if (typeof call !== 'object' || call === null || Array.isArray(call)) continue
    const args = (call['arguments'] ?? {}) as Call
    const [key = 'arg_0'] = Object.keys(args)
    const other = () =>
      list.with(at, { ...call, arguments: { ...args, [key]: value(rng, () => `$var_${rng.int(1, 5)}`) } })
    const ways: (() => Json[])[] = [
      other,
      other,
      () => list.toSpliced(at, 1),
      () => list.toSpliced(at, 0, structuredClone(call)),
      () => list.with(at, { ...call, name: rng.pick([...tools, 'Nowhere', 'varResult', 'dummy', '']) }),
      () => list.toReversed(),
      () => list.with(at, { name: call['name']!, arguments: args }),
      () => list.with(at, { name: call['name']!, label: call['label'] ?? 'v' }),
      () => list.with(at, { ...call, arguments: rng.pick<Json>([null, [], 'x', 3]) }),
      () => list.with(at, { name: call['name']!, label: call['label'] ?? 'v', parameters: args }),
      () => list.with(at, { ...call, label: rng.pick<Json>(['$var_1', 'var1', '', '$', 3, null]) }),
      () => list.with(at, { ...call, arguments: Object.fromEntries(Object.entries(args).reverse()) }),
      () =>
        list.with(at, { ...call, name: rng.pick<Json>([3, 1.5, null, true, ['f'], { f: 1 }]), label: 'w' }),
      () => [...list, { name: 'var_result', arguments: { r: '$var_1.result$' } }],
      () => [...list, rng.pick<Json>([1, 'x', null, [], {}])],
    ]
    list = rng.pick(ways)()
    if (list.length === 0) break
  }
  return list
}

/** Python's way to write JSON, so that 1.0 stays a float. */
const json = (rng: Rng, value: Json): string => {
  const text = JSON.stringify(value)
  return rng.chance(0.2) ? text.replaceAll(/(?<=[:[,])(\d{1,6})(?=[,}\]])/g, '$1.0') : text
}

function spellList(rng: Rng, list: readonly Json[], family: AnswerFamily): string {
  const parts = list.map((one) => json(rng, one))
  const usual = `[${parts.join(', ')}]`
  switch (family) {
    case 'hermes':
      return parts.map((part) => `<tool_call>\n${part}\n</tool_call>`).join('\n')
    case 'granite-20b':
      return parts.map((part) => `<function_call>${part}`).join('')
    case 'xlam':
      return `{"tool_calls": ${usual}}`
    case 'llama-3-70b':
      return rng.chance(0.5)
        ? usual
        : `[${list.map((one) => expression(rng, one)).join(rng.pick([', ', ',']))}]`
    default:
      return usual
  }
}
function expression(rng: Rng, one: Json): string {
  const { name = 'f', arguments: args = {} } = (typeof one === 'object' && !Array.isArray(one) && one) || {}
  const pairs = Object.entries((typeof args === 'object' && args) || {})
  return `${String(name)}(${pairs.map(([key, item]) => `${key}=${rng.chance(0.1) ? '' : JSON.stringify(item)}`).join(', ')})`
}

function noisy(rng: Rng, text: string): string {
  if (rng.chance(0.6)) return text
  const at = rng.int(0, text.length)
  return rng.pick([
    ...[text.slice(0, at), ` ${text}\n`, `\`\`\`json\n${text}\n\`\`\``, `\`\`\`${text}\`\`\``, `${text}'`],
    ...[text.slice(1), text.slice(0, -1), `<|tool_call|>${text}`, `<tool_call>${text}`, `tool_call\n${text}`],
    ...[
      text.replaceAll('label', 'lable'),
      text.replaceAll('_', '\\_'),
      text.replaceAll(', ', ',\n'),
      `ASSISTANT ${text}`,
    ],
    ...[
      `[BEGIN OF ANSWER]${text}[END OF ANSWER]`,
      `Sure: ${text}`,
      '',
      '[]',
      '{}',
      '"text"',
      'null',
      'NaN',
      '[NaN]',
    ],
    ...[
      text.slice(0, at) +
        rng.pick([...'[]{},:"\'$.=()\n ', '<|endoftext|>', '</tool_call>']) +
        text.slice(at),
    ],
    ...[
      text.replaceAll('<tool_call>\n{', 'tool_call\n{'),
      text.replace('{', '{"name": "twice", '),
      `[${text}]`,
    ],
  ])
}

/** Published tools of mathematics have these, whatever the function's own are. */
export const parametersOf = (name: string): string[] =>
  (Object.hasOwn(basicFunctions, name) ? basicFunctions[name]!.parameters : []).map((_, at) => `arg_${at}`)

export function oracleSample(seed: string): OracleSample {
  const rng = createRng(seed)
  const gold = goldCalls(rng)
  const called = [...gold.map(({ name }) => name as string), ...rng.sample(names, 2)]
  const tools = Object.fromEntries(
    called.map((name) => [name, rng.chance(0.03) ? rng.pick([[], ['result', 'more']]) : ['result']]),
  )
  const family = rng.pick(compared)
  const ran = runFunctions(
    gold.map(({ name, label, arguments: args }) => ({
      name: name as string,
      label: label as string,
      arguments: JSON.stringify(args),
    })),
    Object.entries(tools).map(([name, outputs]) => ({ name, parameters: parametersOf(name), outputs })),
    'published',
  )
  const others = [
    '0',
    '0.0',
    'false',
    'true',
    '3',
    '3.0',
    '2.5',
    '0.33',
    '1e-05',
    '1e+22',
    '"x"',
    'null',
    '[1, 2]',
  ]
  const answerValue = ran.outcome === 'value' && rng.chance(0.7) ? ran.value : rng.pick(others)
  // Gold answers of published samples are rounded now and then.
  const answer =
    /^-?\d+\.\d{4,}$/.test(answerValue) && rng.chance(0.5)
      ? String(Number(answerValue).toFixed(2))
      : answerValue
  return { family, gold, tools, answer, text: noisy(rng, spellList(rng, changed(rng, gold, called), family)) }
}
