/**
 * The published data as a set of test cases: validated, counted, hashed. What is broken is named by file and
 * entry.
 */
import { ProblemError, canonicalJson, sha256 } from '@stateeval/contracts'
import { type DatasetSet } from '@stateeval/program'
import { formatWapiiCase, type WapiiCase } from '../case.ts'
import { readText } from '@stateeval/openapi'
import { compileEndpoints } from '../specification/endpoints.ts'
import { readSpecification } from '../specification/read.ts'
import { version } from '../version.ts'
import { type TaskApi, apis } from './apis.ts'
import { checkConfig } from './check.ts'
import { formatTasksReadme } from './readme.ts'
import { readTasks } from './tasks.ts'

type TaskFiles = Readonly<Record<string, string>>

/** @param files tasks/<api>.json and specs/<api>.yaml of the four APIs. */
export function importTasks(files: TaskFiles): DatasetSet {
  if (
    !apis.some(({ id }) => files[`tasks/${id}.json`] !== undefined || files[`specs/${id}.yaml`] !== undefined)
  )
    throw new ProblemError(
      'unprocessable',
      `the folder contains no files of wapiibench; add tasks/<api>.json and specs/<api>.yaml for ${apis.map(({ id }) => id).join(', ')}`,
      '/files',
    )
  return buildTaskSet(apis, files)
}

const publishedSource = 'imported from the published data (stg-tud/WAPIIBench, Apache-2.0)'

/** The same of any APIs. */
export function buildTaskSet(
  apiList: readonly TaskApi[],
  files: TaskFiles,
  source = publishedSource,
): DatasetSet {
  const contents = apiList.map((api) => readApi(api, files))
  const cases = contents.flatMap(({ cases }) => cases)
  const about: DatasetSet['about'] = {
    seed: 0,
    options: { sources: Object.fromEntries(contents.flatMap(({ sources }) => sources)) },
    versions: { 'benchmark wapiibench': version },
    counts: { generated: cases.length, passed: cases.length, kept: cases.length },
    filtered: [],
    statistics: contents.map(({ statistics }) => statistics),
  }
  return {
    lines: cases.map(formatWapiiCase),
    artifacts: Object.fromEntries(contents.map(({ hash, bytes }) => [hash, bytes])),
    about,
    readme: formatTasksReadme(about, cases, source),
    warnings: contents.flatMap(({ warnings }) => warnings),
  }
}

function readApi({ id, title, tasks: count }: TaskApi, files: TaskFiles) {
  const [tasksFile, specFile] = [`tasks/${id}.json`, `specs/${id}.yaml`]
  const need = (file: string): string =>
    files[file] ??
    fail(file, 'is missing; download the published data again: scripts/datasets --download FOLDER')
  const samples = readTasks(need(tasksFile), tasksFile)
  if (samples.length !== count)
    fail(tasksFile, `has ${samples.length} tasks; the published data have ${count}`)
  const { specification, broken } = readSpecification(readText(need(specFile), specFile), id, specFile)
  const text = canonicalJson(specification)
  const hash = sha256(text)
  const endpoints = compileEndpoints(specification)
  if (broken.length > 0) fail(specFile, broken.map((part) => part.broken).join('; '))
  const warnings: string[] = []
  const cases = samples.map(({ task, config }, index): WapiiCase => {
    const { broken: faults, odd } = checkConfig(config, endpoints)
    if (faults.length > 0) fail(tasksFile, `entry ${index}: ${faults.join('; ')}`)
    warnings.push(...odd.map((says) => `${id} ${index}: ${says}`))
    return {
      id: `${id}-${index}`,
      kind: 'wapiibench',
      group: id,
      instruction: task,
      task: { api: id, title, index, config },
      artifacts: [hash],
    }
  })
  const used = new Set(
    cases.map(
      ({ task }) =>
        `${task.config.method} ${endpoints.sound(task.config.url, task.config.method)?.endpoint.template}`,
    ),
  )
  return {
    cases,
    warnings,
    hash,
    bytes: new TextEncoder().encode(text),
    sources: [tasksFile, specFile].map((file) => [file, sha256(need(file))] as const),
    statistics: { scenario: id, cases: cases.length, apis: used.size, branches: 0, metrics: {} },
  }
}

function fail(file: string, says: string): never {
  throw new ProblemError('unprocessable', `${file} ${says}`, `/files/${file}`)
}
