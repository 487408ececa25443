/**
 * For usable operations of published specifications, the task that is made by rule passes its checks, and its
 * own request passes both policies.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ProblemError } from '@stateeval/contracts'
import type { WritingOptions } from '@stateeval/program'
import { type SpecifiedApi, openApi, type EndpointTarget } from '../creation/api.ts'
import { checkTask } from '../creation/check.ts'
import { writeAxiosAnswer } from '../player.ts'
import { ruledConfig } from './ruled.ts'
import { scoreFor } from './specified.ts'

const folder = join(process.env['STATEEVAL_DATASETS'] ?? '', 'specs')
const isHere = process.env['STATEEVAL_DATASETS'] !== undefined && existsSync(folder)
const isLong = process.env['STATEEVAL_LONG'] === '1'
/** Of each document, in the normal run. */
const sampled = 12

if (!isHere) console.info('skipped: STATEEVAL_DATASETS names no folder with specs')
const files = isHere ? readdirSync(folder).filter((name) => /\.(json|ya?ml)$/.test(name)) : []

function opened(name: string): SpecifiedApi | null {
  const text = readFileSync(join(folder, name), 'utf8')
  for (const server of [undefined, 'https://api.example.com'])
    try {
      return openApi(text, { id: 'api', ...(server && { server }) } as WritingOptions)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
    }
  return null
}

/** `passed`, `no values`, or what went wrong. */
async function outcomeOf(api: SpecifiedApi, target: EndpointTarget): Promise<string> {
  const config = ruledConfig(api, target)
  if (!config) return 'no values'
  const instruction = `Call ${target.name}.`
  const checked = checkTask(instruction, config, target, api)
  if ('faults' in checked) return `refused: ${checked.faults[0]!.says}`
  const { policies = {} } = await scoreFor(
    api,
    checked.task.config,
    writeAxiosAnswer(instruction, checked.task.config),
  )
  const wrong = Object.entries(policies).filter(([, { passed }]) => !passed)
  if (wrong.length === 0) return 'passed'
  return wrong
    .map(([policy, { verdict, differences }]) => `${policy}: ${verdict}: ${differences[0]?.says}`)
    .join('; ')
}

const spread = <T>(all: readonly T[], count: number): T[] =>
  all.length <= count
    ? [...all]
    : Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)]!)

const perFile = isHere ? test.each(isLong ? files : spread(files, 16)) : test.skip.each(['none'])
perFile('%s: tasks made by rule pass both policies', async (file) => {
  const api = opened(file)
  if (!api) return
  const usable = api.targets.filter(({ skipped }) => skipped === undefined)
  const failures: string[] = []
  let made = 0
  for (const target of isLong ? usable : spread(usable, sampled)) {
    const outcome = await outcomeOf(api, target)
    if (outcome !== 'no values') made++
    if (outcome !== 'passed' && outcome !== 'no values') failures.push(`${target.name}: ${outcome}`)
  }
  if (process.env['STATEEVAL_SHOW'] === '1')
    console.info(file, { operations: api.targets.length, usable: usable.length, made, failures })
  if (failures.length > Math.max(1, made * 0.005)) expect(failures).toEqual([])
  // Most values can be found by rule; where only a reader could find them, there is no task.
  expect(made).toBeGreaterThanOrEqual((isLong ? usable.length : Math.min(usable.length, sampled)) * 0.5)
})
