/** Hand-written answers over published specifications: what the sound policy says, and why. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { WritingOptions } from '@stateeval/program'
import { type SpecifiedApi, openApi } from '../creation/api.ts'
import { writeAxiosAnswer } from '../player.ts'
import { carefulTasks } from './careful-answers.table.ts'
import { scoreFor } from './specified.ts'
import { summaries } from './summary.ts'

const folder = join(process.env['STATEEVAL_DATASETS'] ?? '', 'specs')
const isHere = process.env['STATEEVAL_DATASETS'] !== undefined && existsSync(folder)
if (!isHere) console.info('skipped: STATEEVAL_DATASETS names no folder with specs')

const opened = new Map<string, SpecifiedApi>()
function apiIn(document: string): SpecifiedApi {
  const api =
    opened.get(document) ??
    openApi(readFileSync(join(folder, document), 'utf8'), { id: 'api' } as WritingOptions)
  opened.set(document, api)
  return api
}

test('there are enough of them, over eight documents', () => {
  expect(carefulTasks.flatMap(({ answers }) => answers).length).toBeGreaterThanOrEqual(60)
  expect(new Set(carefulTasks.map(({ document }) => document)).size).toBe(8)
})

const perTask = isHere ? describe.each(carefulTasks) : describe.skip.each(carefulTasks)
perTask('$document: $title', ({ document, config, files, answers }) => {
  test('the expected request', async () => {
    const score = await scoreFor(apiIn(document), config, writeAxiosAnswer('Ask for it.', config))
    expect(score.policies?.['sound']?.differences).toEqual([])
  })
  // Each row has all members: a missing one would be a callback.
  const rows = answers.map(([name, code, sound, why = '']) => [name, code, sound, why] as const)
  test.each(rows)('%s', async (_, code, sound, why) => {
    const score = await scoreFor(apiIn(document), config, code, files)
    expect(summaries(score)['sound']).toBe(sound)
    const says = (score.policies?.['sound']?.differences ?? []).map((one) => one.says).join('\n')
    if (why === '') expect(says).toBe('')
    else expect(says).toContain(why)
  })
})
