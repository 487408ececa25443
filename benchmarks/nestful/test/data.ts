/** The published data, where STATEEVAL_DATASETS names a folder that has them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['STATEEVAL_DATASETS'] && join(process.env['STATEEVAL_DATASETS'], 'nestful')
export const published =
  folder !== undefined && folder !== '' && existsSync(join(folder, 'v1/executable/executable-data.json'))
    ? folder
    : undefined
export const skipReason =
  'the published data of NESTFUL are not here: STATEEVAL_DATASETS names the folder that holds them'

export const v1Files = ['executable', 'non-executable-glaive', 'non-executable-sgd'].flatMap((name) =>
  ['data', 'spec'].map(
    (kind) => `v1/${name.startsWith('non') ? 'non-executable' : name}/${name}-${kind}.json`,
  ),
)
const v2Files = ['v2/nestful_data_first10.jsonl', 'v2/icl_examples.json']

export const publishedFiles = (names: readonly string[] = [...v1Files, ...v2Files]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(published!, name), 'utf8')]))
