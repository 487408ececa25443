/**
 * The published data, where STATEEVAL_DATASETS names a folder that has them; else our own sample of the same
 * form.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apis } from '../dataset/apis.ts'

const folder = process.env['STATEEVAL_DATASETS'] && join(process.env['STATEEVAL_DATASETS'], 'wapiibench')
export const published =
  folder !== undefined && folder !== '' && existsSync(join(folder, 'tasks/asana.json')) ? folder : undefined
export const skipReason =
  'the published data of WAPIIBench are not here: STATEEVAL_DATASETS names the folder that holds them'

export const publishedFiles = (): Record<string, string> =>
  Object.fromEntries(
    apis
      .flatMap(({ id }) => [`tasks/${id}.json`, `specs/${id}.yaml`])
      .map((file) => [file, readFileSync(join(published!, file), 'utf8')]),
  )
