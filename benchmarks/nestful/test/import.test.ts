/**
 * What of published data can't be read is named by file and entry; what contradicts itself is reported, and
 * taken as it is.
 */
import { describe, expect, test } from '@jest/globals'
import { canonicalJson } from '@stateeval/contracts'
import { parse } from '../case.ts'
import { importNestful } from '../dataset/from-dataset.ts'
import { listTextReferences } from '../references.ts'
import { published, publishedFiles, skipReason } from './data.ts'
import { sampleCases, sampleFiles } from './sample.ts'

const [data, spec, v2] = [
  'v1/executable/executable-data.json',
  'v1/executable/executable-spec.json',
  'v2/nestful_data.jsonl',
] as const
type Entry = { input: unknown; output: { name?: unknown; arguments?: unknown; label?: unknown }[] }

function changed(change: (entries: Entry[]) => void, file: string = data) {
  const files = sampleFiles()
  const entries = JSON.parse(files[file]!) as Entry[]
  change(entries)
  return () => importNestful({ ...files, [file]: JSON.stringify(entries) })
}

test.each<[string, () => unknown, RegExp]>([
  ['nothing', () => importNestful({}), /the folder contains no files of nestful; .*scripts\/datasets/],
  [
    'no specification',
    () => importNestful({ [data]: sampleFiles()[data]! }),
    /executable-spec\.json is missing/,
  ],
  [
    'no JSON',
    () => importNestful({ ...sampleFiles(), [data]: '[{' }),
    /executable-data\.json is not valid JSON/,
  ],
  ['no list', () => importNestful({ ...sampleFiles(), [data]: '{}' }), /is not a list of entries/],
  [
    'a broken line',
    () => importNestful({ ...sampleFiles(), [v2]: '\n{"a"' }),
    /jsonl line 2 is not valid JSON/,
  ],
  ['no input', changed((all) => (all[1]!.input = 5)), /entry 1: `input` is not a string/],
  ['no calls', changed((all) => (all[2]!.output = [])), /entry 2: `output` has no call/],
  [
    'a call without a name',
    changed((all) => delete all[0]!.output[1]!.name),
    /entry 0: output 1 has no `name`/,
  ],
  [
    'arguments',
    changed((all) => (all[0]!.output[1]!.arguments = [])),
    /entry 0: output 1: `arguments` is not an object/,
  ],
  [
    'an API without a name',
    changed((all) => delete (all[3] as { name?: unknown }).name, spec),
    /spec\.json entry 3 has no `name`/,
  ],
  [
    'functions',
    () => importNestful({ ...sampleFiles(), 'functions.json': '{"a.py": 5}' }),
    /functions\.json a\.py is not a string/,
  ],
])('%s is refused', (_, make, says) => expect(make).toThrow(says))

test.each<[string, () => { warnings: string[] }, RegExp]>([
  [
    'an unknown label',
    withArgument('$var9.x$'),
    /executable-0: call 2 .* refers to var9, which no call has as its label/,
  ],
  ['a later call', withArgument('$var2.range$'), /refers to var2, which is a later call/],
  [
    'an undeclared output',
    withArgument('$var1.depth$'),
    /names an output that Harbour_Find_Port does not declare/,
  ],
  ['a broken reference', withArgument('var1.port_id$'), /lacks the dollar sign of a reference/],
  ['a price', withArgument('$100-$200'), /has dollar signs and is not a reference/],
  [
    'an unknown API',
    changed((all) => (all[0]!.output[0]!.name = 'Other')),
    /there is no specification of Other/,
  ],
  [
    'a missing parameter',
    changed((all) => (all[0]!.output[0]!.arguments = {})),
    /the required parameter town is missing/,
  ],
  [
    'an unknown parameter',
    changed((all) => (all[0]!.output[0]!.arguments = { town: 'x', at: 1 })),
    /at is not a parameter/,
  ],
  [
    'a value that is not allowed',
    changed((all) => ((all[1]!.output[1]!.arguments as Record<string, unknown>)['class'] = 'tiny')),
    /class is tiny, which is not among/,
  ],
  ['no label', changed((all) => delete all[0]!.output[0]!.label), /has no label/],
  ['a repeated label', changed((all) => (all[0]!.output[1]!.label = 'var1')), /the label var1 is used twice/],
])('%s is reported', (_, make, says) => expect(make().warnings.join('\n')).toMatch(says))

function withArgument(value: string) {
  return changed((all) => ((all[0]!.output[1]!.arguments as Record<string, unknown>)['latitude'] = value))
}

test.each([
  ['no line of JSON', '{', /is not valid JSON/],
  ['another kind', canonicalJson({ ...sampleCases[0]!, kind: 'other' }), /\/kind is other/],
  [
    'arguments that are no JSON',
    line((c) => (c.task.calls[0]!.arguments = '{')),
    /\/task\/calls\/0\/arguments is not valid JSON/,
  ],
  [
    'arguments that are no object',
    line((c) => (c.task.calls[0]!.arguments = '[]')),
    /must be the JSON text of an object/,
  ],
  ['no tools', line((c) => delete c.task.tools, 'math-paint'), /\/task\/tools is missing/],
  ['no library', line((c) => delete c.artifacts), /\/artifacts must name the hash/],
])('a case with %s is refused', (_, text, says) => expect(() => parse(text)).toThrow(says))

function line(change: (c: (typeof sampleCases)[number]) => void, id = 'executable-0'): string {
  const c = structuredClone(sampleCases.find((one) => one.id === id)!)
  change(c)
  return canonicalJson(c)
}

const known = new Set(['Find', 'call-1', '1', 'Time.com_Zone'])
test.each<[string, [string, string][]]>([
  ['$var1$', [['var1', '']]],
  ['$var1.x$', [['var1', 'x']]],
  ['$var_1.result$', [['var_1', 'result']]],
  ['$var1.location.name$', [['var1', 'location.name']]],
  ['$var1.Exchange Rate$', [['var1', 'Exchange Rate']]],
  ['$var1.author[0].id$', [['var1', 'author[0].id']]],
  ['$var1[2].id$', [['var1', '[2].id']]],
  ['5 * $var1.Exchange Rate$', [['var1', 'Exchange Rate']]],
  [
    '$var1.localtime$ - $var2.localtime$',
    [
      ['var1', 'localtime'],
      ['var2', 'localtime'],
    ],
  ],
  ['Here: $var1.restaurants$', [['var1', 'restaurants']]],
  ['${Find.name}', [['Find', 'name']]],
  ['#{var1}.name$', [['var1', 'name']]],
  ['$var1["movies"][0]$', [['var1', 'movies[0]']]],
  ["$var1['a b'][0][id]$", [['var1', 'a b[0].id']]],
  ['$var1.$', [['var1', '.']]],
  ['$var1$', [['var1', '']]],
  ['$7-$var1.x$', [['var1', 'x']]],
  [
    '$call-1.x$ of $1.y$',
    [
      ['call-1', 'x'],
      ['1', 'y'],
    ],
  ],
  ['$Time.com_Zone.localtime$', [['Time.com_Zone', 'localtime']]],
  ['$Time.com_Zone[0].localtime$', [['Time.com_Zone', '[0].localtime']]],
  ['$Find.name$', [['Find', 'name']]],
  ['$var1.x', [['var1', 'x']]],
  ['$100-$200', []],
  ['$500-$1000', []],
  ['var1.product_id$', []],
  ['$USD and $EUR', []],
])('references in %j', (text, expected) =>
  expect(
    listTextReferences(text, (label) => known.has(label)).map(({ label, path }) => [label, path]),
  ).toEqual(expected),
)

describe('the published data', () => {
  if (!published) process.stderr.write(`skipped: ${skipReason}\n`)
  ;(published ? test : test.skip)('are read, with what contradicts itself', () => {
    const files = publishedFiles()
    const { lines, warnings, about, readme } = importNestful(files)
    expect(about.counts.kept).toBe(310)
    expect(warnings.filter((says) => says.includes('there is no specification of'))).toHaveLength(11)
    expect(
      warnings.some((says) => says.startsWith('executable-21: ') && says.includes('var1.product_id$')),
    ).toBe(true)
    expect(warnings.filter((says) => /\$(100-\$200|500-\$1000|100-\$500)/.test(says))).toHaveLength(3)
    expect(readme).toContain('| executable | 85 | 233 | 3 | 84 | 0 | 41 |')
    const cases = lines.map(parse)
    expect(
      new Set(
        cases
          .flatMap(({ task }) => task.calls.map(({ name }) => name))
          .filter((name) => name === 'var_result'),
      ).size,
    ).toBe(0)
    // How many samples have how many calls, the closing var_result left out.
    const sizes = (part: string) =>
      Object.fromEntries(
        Object.entries(
          Object.groupBy(
            cases.filter(({ group }) => group === part),
            ({ task }) => task.calls.length,
          ),
        ).map(([n, list]) => [n, list!.length]),
      )
    expect(sizes('executable')).toEqual({ 2: 44, 3: 30, 4: 4, 5: 5, 7: 2 })
    expect(sizes('glaive')).toEqual({ 2: 87, 3: 33, 4: 49 })
    expect(sizes('sgd')).toEqual({ 2: 40, 3: 6 })
    // The same files, the same bytes.
    expect(importNestful(files).lines).toEqual(lines)
  })
})

test('a text of half references is read once', () => {
  expect(listTextReferences(`$${'#a.'.repeat(300_000)}`)).toEqual([])
  expect(
    listTextReferences(`${'#a.'.repeat(1000)}$var_1.x$${'#a.'.repeat(300_000)}`).map(({ label }) => label),
  ).toEqual(['var_1'])
})
