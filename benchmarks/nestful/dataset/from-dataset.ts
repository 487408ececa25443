/**
 * The published data of both versions as a set of test cases: validated, counted, hashed. Contradictions are
 * warnings.
 */
import { canonicalJson, ProblemError, sha256 } from '@stateeval/contracts'
import { createRng, type DatasetSet } from '@stateeval/program'
import { type SolvedExample, formatNestfulCase, type NestfulCase } from '../case.ts'
import { isPassingMock } from '../functions/mock.ts'
import { readWhole } from '../python/read.ts'
import { type PyValue, formatPyStr } from '../python/value.ts'
import { version } from '../version.ts'
import { checkSample, type CheckFindings } from './check.ts'
import { parseEntries, rejectFile } from './entries.ts'
import { functionsFile, unpackFunctions } from './functions.ts'
import { type ApiSpecification, findMissingHttpPart, readApi, type ApiLibrary } from './library.ts'
import { formatNestfulDataReadme } from './readme.ts'
import { type NestfulSample, readSample } from './sample.ts'

type NestfulFiles = Readonly<Record<string, string>>

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

interface DatasetPart {
  cases: NestfulCase[]
  artifacts: Record<string, Uint8Array>
  warnings: string[]
  statistics: DatasetSet['about']['statistics'][number]
}

/**
 * @param files data and specifications of version 1, samples and examples of version 2; whichever parts are
 *   there.
 */
export function importNestful(files: NestfulFiles): DatasetSet {
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
    lines: cases.map(formatNestfulCase),
    artifacts: Object.assign({}, ...readParts.map(({ artifacts }) => artifacts)) as Record<
      string,
      Uint8Array
    >,
    about,
    readme: formatNestfulDataReadme(about, cases),
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

function encodeArtifact(value: ApiLibrary | Record<string, string>) {
  const text = canonicalJson(value)
  return { hash: sha256(text), bytes: new TextEncoder().encode(text) }
}

function readV1({ part, folder, name }: (typeof parts)[number], files: NestfulFiles): DatasetPart {
  const [dataFile, specFile] = [`${folder}/${name}-data.json`, `${folder}/${name}-spec.json`]
  const spec =
    files[specFile] ??
    rejectFile(
      specFile,
      'is missing; download the published data again: scripts/datasets --download nestful FOLDER',
    )
  const samples = parseEntries(files[dataFile]!, dataFile).map((entry, n) => readSample(entry, n, dataFile))
  const apis = new Map<string, ApiSpecification>()
  const warnings: string[] = []
  parseEntries(spec, specFile).forEach((entry, n) => {
    let api: ApiSpecification
    try {
      api = readApi(entry)
    } catch (error) {
      return rejectFile(specFile, `entry ${n} ${(error as Error).message}`)
    }
    const missing = findMissingHttpPart(entry)
    if (missing !== null)
      warnings.push(`${specFile} entry ${n}: ${api.name} is never called live: no ${missing}`)
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
  const library: ApiLibrary = { part, apis: [...apis.values()], examples: drawExamples(part, shown) }
  const { hash, bytes } = encodeArtifact(library)
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
      ...(part === 'executable' && { passable: isPassingMock(sample.calls, apis) }),
    },
    artifacts: [hash],
  }))
  return {
    cases,
    artifacts: { [hash]: bytes },
    warnings: [...warnings, ...listImportWarnings(cases)],
    statistics: { scenario: part, cases: cases.length, apis: apis.size, branches: 0, metrics: {} },
  }
}

/**
 * A reference of a published sample is an output of the API, whatever its specification says: calling it made
 * the samples.
 */
function addUndeclared(findings: readonly CheckFindings[], apis: ReadonlyMap<string, ApiSpecification>) {
  for (const { undeclared } of findings)
    for (const { api, path } of undeclared) {
      const { outputs } = apis.get(api)!
      outputs[path] ??= 'string'
    }
}

/** Drawn by the part's name, of samples that contradict nothing. */
const drawExamples = (
  part: string,
  candidates: readonly { sample: NestfulSample; id: string }[],
): SolvedExample[] =>
  createRng(`nestful/examples/${part}`)
    .shuffle([...candidates])
    .slice(0, offered)
    .map(({ sample, id }) => buildSampleExample(sample, id))

const buildSampleExample = ({ input, calls }: NestfulSample, id: string): SolvedExample => ({
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
const getVersion2Part = ({ tools }: NestfulSample) => (tools?.includes('"output_0"') ? 'coding' : 'math')

function readV2(files: NestfulFiles): DatasetPart[] {
  const names = Object.keys(files).filter(isV2)
  const iclText = files[examplesFile]
  const icl =
    iclText === undefined
      ? []
      : parseEntries(iclText, examplesFile).map((entry, n) => readSample(entry, n, examplesFile))
  const read = names.flatMap((file) =>
    parseEntries(files[file]!, file).map((entry, n) => ({ file, n, sample: readSample(entry, n, file) })),
  )
  const entries = read.length > 0 ? read : icl.map((sample, n) => ({ file: examplesFile, n, sample }))
  if (entries.length === 0) return []
  const code = unpackFunctions(files[functionsFile])
  const byPart = Map.groupBy(entries, ({ sample }) => getVersion2Part(sample))
  return (['math', 'coding'] as const).flatMap((part) => {
    const members = byPart.get(part)
    if (!members) return []
    const examples = icl.map((sample, n) => buildSampleExample(sample, sample.id ?? `icl-${n}`))
    const shared = encodeArtifact({ part, apis: [], examples })
    const artifacts: Record<string, Uint8Array> = { [shared.hash]: shared.bytes }
    const cases = members.map(({ file, n, sample }): NestfulCase => {
      if (sample.tools === undefined) rejectFile(file, `entry ${n}: \`tools\` is missing`)
      const tools = (readWhole(sample.tools) as PyValue[]).map((tool) => readApi(tool))
      const { faults } = checkSample(sample, new Map(tools.map((tool) => [tool.name, tool])))
      const functions = code && encodeArtifact(code.of(tools.map(({ name }) => name)))
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
        warnings: listImportWarnings(cases),
        statistics: { scenario: part, cases: cases.length, apis: apis.size, branches: 0, metrics: {} },
      },
    ]
  })
}

const listImportWarnings = (cases: readonly NestfulCase[]) =>
  cases.flatMap(({ id, task }) => task.faults.map((fault) => `${id}: ${formatPyStr(fault)}`))
