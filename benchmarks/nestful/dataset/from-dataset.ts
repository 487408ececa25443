/**
 * The published data of both versions as a set of test cases: validated, counted, hashed. Contradictions are
 * warnings.
 */
import { canonicalJson, ProblemError, sha256 } from '@stateeval/contracts'
import { createRng, type DatasetSet } from '@stateeval/program'
import { type Example, lineOf, type NestfulCase } from '../case.ts'
import { passes } from '../functions/mock.ts'
import { readWhole } from '../python/read.ts'
import { type Py, str } from '../python/value.ts'
import { version } from '../version.ts'
import { checkSample, type Findings } from './check.ts'
import { entriesIn, wrong } from './entries.ts'
import { functionsFile, packedFunctions } from './functions.ts'
import { type Api, apiOf, type Library } from './library.ts'
import { readme } from './readme.ts'
import { type Sample, sampleOf } from './sample.ts'

type Files = Readonly<Record<string, string>>

/** The parts of version 1: their samples and their specifications. */
const parts = [
  { part: 'executable', folder: 'v1/executable', name: 'executable' },
  { part: 'glaive', folder: 'v1/non-executable', name: 'non-executable-glaive' },
  { part: 'sgd', folder: 'v1/non-executable', name: 'non-executable-sgd' },
] as const
const examplesFile = 'v2/icl_examples.json'
const isV2 = (file: string) => /^v2\/nestful_data[\w-]*\.jsonl?$/.test(file)
/** Examples that a library offers: three are shown, and a case never shows itself. */
const offered = 8

interface Part {
  cases: NestfulCase[]
  artifacts: Record<string, Uint8Array>
  warnings: string[]
  statistics: DatasetSet['about']['statistics'][number]
}

/**
 * @param files data and specifications of version 1, samples and examples of version 2; whichever parts are
 *   there.
 */
export function fromDataset(files: Files): DatasetSet {
  const readParts = [
    ...parts.flatMap((one) =>
      files[`${one.folder}/${one.name}-data.json`] === undefined ? [] : [readV1(one, files)],
    ),
    ...readV2(files),
  ]
  if (readParts.length === 0)
    throw new ProblemError(
      'unprocessable',
      `the folder contains no files of nestful; add ${parts.map(({ folder, name }) => `${folder}/${name}-data.json`).join(', ')} with their specifications, or v2/nestful_data.jsonl. Download them: scripts/datasets --download nestful FOLDER`,
      '/files',
    )
  const cases = readParts.flatMap((part) => part.cases)
  requireDifferentIds(cases)
  const about: DatasetSet['about'] = {
    seed: 0,
    options: {
      sources: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, sha256(text)])),
    },
    versions: { 'benchmark nestful': version },
    counts: { generated: cases.length, passed: cases.length, kept: cases.length },
    filtered: [],
    statistics: readParts.map(({ statistics }) => statistics),
  }
  return {
    lines: cases.map(lineOf),
    artifacts: Object.assign({}, ...readParts.map(({ artifacts }) => artifacts)) as Record<
      string,
      Uint8Array
    >,
    about,
    readme: readme(about, cases),
    warnings: readParts.flatMap(({ warnings }) => warnings),
  }
}

function requireDifferentIds(cases: readonly NestfulCase[]) {
  const ids = new Set<string>()
  for (const { id } of cases) {
    if (ids.has(id)) throw new ProblemError('unprocessable', `two samples have the id ${id}`, '/files')
    ids.add(id)
  }
}

function artifactOf(value: Library | Record<string, string>) {
  const text = canonicalJson(value)
  return { hash: sha256(text), bytes: new TextEncoder().encode(text) }
}

function readV1({ part, folder, name }: (typeof parts)[number], files: Files): Part {
  const [dataFile, specFile] = [`${folder}/${name}-data.json`, `${folder}/${name}-spec.json`]
  const spec =
    files[specFile] ??
    wrong(
      specFile,
      'is missing; download the published data again: scripts/datasets --download nestful FOLDER',
    )
  const samples = entriesIn(files[dataFile]!, dataFile).map((entry, n) => sampleOf(entry, n, dataFile))
  const apis = new Map<string, Api>()
  const warnings: string[] = []
  entriesIn(spec, specFile).forEach((entry, n) => {
    let api: Api
    try {
      api = apiOf(entry)
    } catch (error) {
      return wrong(specFile, `entry ${n} ${(error as Error).message}`)
    }
    // The first one counts, as a reader would find it.
    if (apis.has(api.name)) warnings.push(`${specFile} entry ${n}: ${api.name} is specified twice`)
    else apis.set(api.name, api)
  })
  const findings = samples.map((sample) => checkSample(sample, apis))
  addUndeclared(findings, apis)
  const ids = samples.map((_, n) => `${part}-${n}`)
  const shown = samples.flatMap((sample, n) =>
    findings[n]!.faults.length === 0 ? [{ sample, id: ids[n]! }] : [],
  )
  const library: Library = { part, apis: [...apis.values()], examples: examplesOf(part, shown) }
  const { hash, bytes } = artifactOf(library)
  const cases = samples.map((sample, n): NestfulCase => ({
    id: ids[n]!,
    kind: 'nestful',
    group: part,
    instruction: sample.input,
    task: {
      form: 'v1',
      part,
      calls: sample.calls,
      ...(sample.result !== undefined && { result: sample.result }),
      faults: findings[n]!.faults,
      ...(part === 'executable' && { passable: passes(sample.calls, apis) }),
    },
    artifacts: [hash],
  }))
  return {
    cases,
    artifacts: { [hash]: bytes },
    warnings: [...warnings, ...warningsOf(cases)],
    statistics: { scenario: part, cases: cases.length, apis: apis.size, branches: 0, metrics: {} },
  }
}

/**
 * A reference of a published sample is an output of the API, whatever its specification says: the samples were
 * made by calling it.
 */
function addUndeclared(findings: readonly Findings[], apis: ReadonlyMap<string, Api>) {
  for (const { undeclared } of findings)
    for (const { api, path } of undeclared) {
      const { outputs } = apis.get(api)!
      outputs[path] ??= 'string'
    }
}

/** Drawn by the part's name, of samples that contradict nothing. */
const examplesOf = (part: string, candidates: readonly { sample: Sample; id: string }[]): Example[] =>
  createRng(`nestful/examples/${part}`)
    .shuffle([...candidates])
    .slice(0, offered)
    .map(({ sample, id }) => exampleOf(sample, id))

const exampleOf = ({ input, calls }: Sample, id: string): Example => ({
  input,
  output: `[${calls
    .map(
      ({ name, label, arguments: args }) =>
        `{"name": ${JSON.stringify(name)}, "label": ${JSON.stringify(label)}, "arguments": ${args}}`,
    )
    .join(', ')}]`,
  apis: [...new Set(calls.map(({ name }) => name))],
  case: id,
})

/**
 * The output parameters of version 2 say where a sample comes from: `result` of a MathQA function, `output_0`
 * of a coding one.
 */
const partOfV2 = ({ tools }: Sample) => (tools?.includes('"output_0"') ? 'coding' : 'math')

function readV2(files: Files): Part[] {
  const names = Object.keys(files).filter(isV2)
  const iclText = files[examplesFile]
  const icl =
    iclText === undefined
      ? []
      : entriesIn(iclText, examplesFile).map((entry, n) => sampleOf(entry, n, examplesFile))
  const read = names.flatMap((file) =>
    entriesIn(files[file]!, file).map((entry, n) => ({ file, n, sample: sampleOf(entry, n, file) })),
  )
  const entries = read.length > 0 ? read : icl.map((sample, n) => ({ file: examplesFile, n, sample }))
  if (entries.length === 0) return []
  const code = packedFunctions(files[functionsFile])
  const byPart = Map.groupBy(entries, ({ sample }) => partOfV2(sample))
  return (['math', 'coding'] as const).flatMap((part) => {
    const members = byPart.get(part)
    if (!members) return []
    const examples = icl.map((sample, n) => exampleOf(sample, sample.id ?? `icl-${n}`))
    const shared = artifactOf({ part, apis: [], examples })
    const artifacts: Record<string, Uint8Array> = { [shared.hash]: shared.bytes }
    const cases = members.map(({ file, n, sample }): NestfulCase => {
      if (sample.tools === undefined) wrong(file, `entry ${n}: \`tools\` is missing`)
      const tools = (readWhole(sample.tools) as Py[]).map((tool) => apiOf(tool))
      const { faults } = checkSample(sample, new Map(tools.map((tool) => [tool.name, tool])))
      const functions = code && artifactOf(code.of(tools.map(({ name }) => name)))
      if (functions) artifacts[functions.hash] = functions.bytes
      return {
        id: `${part}-${sample.id ?? n}`,
        kind: 'nestful',
        group: part,
        instruction: sample.input,
        task: {
          form: 'v2',
          part,
          calls: sample.calls,
          tools: sample.tools,
          ...(sample.gold !== undefined && { gold: sample.gold }),
          faults,
        },
        artifacts: [shared.hash, ...(functions ? [functions.hash] : [])],
      }
    })
    const apis = new Set(cases.flatMap(({ task }) => task.calls.map(({ name }) => name)))
    return [
      {
        cases,
        artifacts,
        warnings: warningsOf(cases),
        statistics: { scenario: part, cases: cases.length, apis: apis.size, branches: 0, metrics: {} },
      },
    ]
  })
}

const warningsOf = (cases: readonly NestfulCase[]) =>
  cases.flatMap(({ id, task }) => task.faults.map((fault) => `${id}: ${str(fault)}`))
