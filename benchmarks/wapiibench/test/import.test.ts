/** What is broken in published data is named: the file and the entry. */
import { describe, expect, test } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { buildTaskSet, importTasks } from '../dataset/from-dataset.ts'
import { sampleBenchmark, library, sampleFiles, sampleSet, sampleSource } from './sample.ts'

type Sample = { task?: unknown; config: Record<string, unknown> }
const [tasks, spec] = ['tasks/library.json', 'specs/library.yaml'] as const
function broken(change: (samples: Sample[]) => void): () => unknown {
  const files = sampleFiles()
  const value = JSON.parse(files[tasks]!) as { samples: Sample[] }
  change(value.samples)
  return () => buildTaskSet([library], { ...files, [tasks]: JSON.stringify(value) })
}
function brokenSpec(change: (document: Record<string, unknown>) => void): () => unknown {
  const files = sampleFiles()
  const document = parse(files[spec]!) as Record<string, unknown>
  change(document)
  return () => buildTaskSet([library], { ...files, [spec]: stringify(document) })
}

test.each<[string, () => unknown, RegExp]>([
  [
    'no JSON',
    () => buildTaskSet([library], { ...sampleFiles(), [tasks]: '{' }),
    /tasks\/library\.json is not valid JSON/,
  ],
  ['no samples', () => buildTaskSet([library], { ...sampleFiles(), [tasks]: '{}' }), /has no list `samples`/],
  ['a task that is no text', broken((all) => (all[3]!.task = 5)), /library\.json entry 3\.task: /],
  ['no config', broken((all) => Reflect.deleteProperty(all[1]!, 'config')), /entry 1.*config/],
  ['a method', broken((all) => (all[2]!.config['method'] = 'POST')), /entry 2\.config\.method: /],
  [
    'a query in the URL',
    broken((all) => (all[0]!.config['url'] = 'https://api.library.example/v2/books?x=1')),
    /entry 0\.config\.url: /,
  ],
  ['another field', broken((all) => (all[0]!.config['body'] = {})), /entry 0/],
  [
    'an endpoint that isn’t there',
    broken((all) => (all[4]!.config['url'] = 'https://api.library.example/v2/x')),
    /entry 4: config\.url .* is not an endpoint/,
  ],
  [
    'a method that isn’t there',
    broken((all) => (all[4]!.config['method'] = 'patch')),
    /entry 4: config\.method patch is not defined/,
  ],
  ['one too few', broken((all) => all.pop()), /has 14 tasks; the published data have 15/],
  [
    'no YAML',
    () => buildTaskSet([library], { ...sampleFiles(), [spec]: 'a: [' }),
    /specs\/library\.yaml is not valid YAML/,
  ],
  [
    'no specification',
    () => buildTaskSet([library], { [tasks]: sampleFiles()[tasks]! }),
    /specs\/library\.yaml is missing; .*scripts\/datasets/,
  ],
  ['Swagger 2', brokenSpec((one) => (one['openapi'] = '2.0')), /openapi is "2\.0"; use OpenAPI 3\.0 or 3\.1/],
  [
    'no full address of a server',
    brokenSpec((one) => (one['servers'] = [{ url: '/v2' }])),
    /servers must have an address that begins with http/,
  ],
  [
    'a reference to nothing',
    brokenSpec((one) => ((one['components'] as { parameters: object }).parameters = {})),
    /refers to #\/components\/parameters\/pretty, which does not exist/,
  ],
])('%s', (_, work, message) => expect(work).toThrow(message))

test('nothing of it', () =>
  expect(() => importTasks({ x: '' })).toThrow(/the folder contains no files of wapiibench/))
test('undocumented arguments are warned of', () => {
  const files = sampleFiles()
  const value = JSON.parse(files[tasks]!) as { samples: Sample[] }
  value.samples[2]!.config['data'] = { title: 'x', isbn: '1' }
  const { warnings } = buildTaskSet([library], { ...files, [tasks]: JSON.stringify(value) })
  expect(warnings).toEqual([
    'library 2: config.data.isbn is undocumented: POST /books has no such property of the body',
  ])
})
test('the same files make the same set', () =>
  expect(buildTaskSet([library], sampleFiles(), sampleSource)).toEqual(sampleSet))

describe('a line of cases.jsonl', () => {
  const [line] = sampleSet.lines as [string]
  const value = JSON.parse(line) as { task: { config: Record<string, unknown> } }
  test.each([
    ['no JSON', '{', /not valid JSON/],
    ['of another kind', line.replace('"wapiibench"', '"stateeval"'), /field \/kind/],
    [
      'a broken config',
      JSON.stringify({ ...value, task: { ...value.task, config: {} } }),
      /field \/task\/config/,
    ],
    ['no specification', JSON.stringify({ ...value, artifacts: [] }), /field \/artifacts/],
  ])('%s', (_, text, message) => expect(() => sampleBenchmark.parse(text)).toThrow(message))
})
