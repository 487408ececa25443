/** Tasks of a specification that a test writes, and what the policies say of code for them. */
import type { Score } from '@stateeval/contracts'
import type { WritingOptions } from '@stateeval/program'
import type { RequestConfiguration, WapiiCase } from '../case.ts'
import { type SpecifiedApi, openApi } from '../creation/api.ts'
import { benchmarkOf, scoreOf } from './drive.ts'

export const server = 'https://api.example.com/v1'

/** An API of one path, or of all of `paths`. */
export const apiOf = (paths: object, more: object = {}): SpecifiedApi =>
  openApi(JSON.stringify({ openapi: '3.1.0', servers: [{ url: server }], paths, ...more }), {
    id: 'api',
  } as WritingOptions)

const caseFor = (
  { artifact }: Pick<SpecifiedApi, 'artifact'>,
  config: RequestConfiguration,
  files?: Record<string, string>,
): WapiiCase => ({
  id: 'api-0',
  kind: 'wapiibench',
  group: 'api',
  instruction: 'Ask for it.',
  task: { api: 'api', title: 'API', index: 0, config, ...(files && { files }) },
  artifacts: [artifact.hash],
})

export const scoreFor = (
  api: Pick<SpecifiedApi, 'artifact'>,
  config: RequestConfiguration,
  code: string,
  files?: Record<string, string>,
): Promise<Score> =>
  scoreOf(benchmarkOf({ [api.artifact.hash]: api.artifact.bytes }), caseFor(api, config, files), code)
