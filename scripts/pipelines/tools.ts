/** Linters and schemas of their makers for the files of deploy/ci, fetched once and kept in the cache. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { pythonTools } from '../python-tools.ts'

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'stateeval')

/** Runs a program. @returns what it printed where it failed, else null */
export function findCommandFault(command: string, args: readonly string[]): string | null {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 })
  return status === 0 ? null : (error?.message ?? `${stdout}${stderr}`)
}

function needed<T>(value: T | null, why: string): T {
  if (value === null) throw new Error(why)
  return value
}

/** actionlint, built of its module. @throws Error without Go */
export function actionlint(version = 'v1.7.12'): string {
  const folder = join(cache, 'actionlint', version)
  const binary = join(folder, 'actionlint')
  if (existsSync(binary)) return binary
  const module = `github.com/rhysd/actionlint/cmd/actionlint@${version}`
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  const { status, stderr } = spawnSync('go', ['install', module], { cwd: '/', env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`actionlint can't be built: is Go here? ${stderr}`)
  return binary
}

/** Programs of scripts/pipelines/requirements.txt. @throws Error where pip can't install them */
export function pythonTool(name: string): string {
  const tools = pythonTools('pipelines')
  if (!tools.ok) throw new Error(`${name} can't be installed: ${tools.reason}`)
  return tools.bin(name)
}

/** The path of junit-10.xsd, of a source archive whose hash is checked. */
export function junitSchema(): string {
  const requirement = join(import.meta.dirname, 'junit-schema.txt')
  const [, version] = /^pytest==(\S+)/m.exec(readFileSync(requirement, 'utf8')) ?? []
  const folder = join(cache, 'junit-schema')
  const schema = join(folder, `pytest-${version}/testing/example_scripts/junit-10.xsd`)
  if (existsSync(schema)) return schema
  mkdirSync(folder, { recursive: true })
  const download = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', folder]
  const failure =
    findCommandFault(pythonTool('pip'), [...download, '--requirement', requirement]) ??
    findCommandFault('tar', ['-xzf', join(folder, `pytest-${version}.tar.gz`), '-C', folder])
  if (failure !== null) throw new Error(`the schema of JUnit XML can't be fetched: ${failure}`)
  return schema
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  [keyword: string]: unknown
}
/**
 * A schema as an API server that validates strictly reads it: properties that are not named are faults,
 * unless the schema says that they are kept.
 */
function strict(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, strict(one)])),
    }),
    ...(items && { items: strict(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: strict(additionalProperties) }
      : properties && !isOpen && { additionalProperties: false }),
  }
}

const argo = {
  module: 'github.com/argoproj/argo-workflows/v3@v3.7.3',
  sum: 'h1:b0o03RTLXIL7lQunDEvLoDTeI5TbfXe2obGaItvvifk=',
  file: 'manifests/base/crds/full/argoproj.io_workflowtemplates.yaml',
} as const

/** The schema of a WorkflowTemplate, of Argo's own definition. @throws Error without Go */
export function workflowTemplateSchema(): object {
  // Checked by the sum here instead of by a database.
  const env = { ...process.env, GONOSUMDB: '*' }
  const args = ['mod', 'download', '-json', argo.module]
  const { status, stdout } = spawnSync('go', args, { cwd: '/', env, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) throw new Error(`Argo's definitions can't be fetched (${argo.module}): is Go here?`)
  const { Dir, Sum } = JSON.parse(stdout) as { Dir: string; Sum: string }
  if (Sum !== argo.sum) throw new Error(`${argo.module} has the sum ${Sum}, not ${argo.sum}`)
  const [file] = globSync(argo.file, { cwd: Dir })
  const path = join(Dir, needed(file ?? null, `${argo.module} has no ${argo.file}`))
  const { spec } = parse(readFileSync(path, 'utf8')) as {
    spec: { versions: { schema: { openAPIV3Schema: Schema } }[] }
  }
  const { openAPIV3Schema } = needed(spec.versions[0] ?? null, `${argo.file} has no version`).schema
  const { metadata: _any, ...properties } = openAPIV3Schema.properties ?? {}
  // The definition leaves metadata to the API server.
  return {
    ...strict({ ...openAPIV3Schema, properties }),
    properties: { ...strict({ properties }).properties, metadata: {} },
  }
}
