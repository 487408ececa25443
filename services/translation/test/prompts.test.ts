/**
 * The agents' prompts: ours fit their slots; a person's own replace them one by one, and a fault is named.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readPromptFiles } from '@stateeval/service-kit'
import { agentPrompts } from '@stateeval/translate'

const readPrompts = (replaced: string | undefined) => readPromptFiles(agentPrompts, replaced)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-prompts-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('ours name the three requirements and the three answers', () => {
  const { generator, evaluator } = readPrompts(undefined)
  for (const text of [generator, evaluator])
    expect(text).toMatch(/unambiguous[\s\S]*natural[\s\S]*non-redundant/)
  expect(evaluator).toMatch(/<OK>[\s\S]*diagnosis[\s\S]*<IMPOSSIBLE>/)
})

test('a file of the same name replaces one prompt; a wrong slot or folder keeps the service from starting', async () => {
  await writeFile(join(folder, 'revise.md'), 'Once more: {{diagnosis}}')
  expect(readPrompts(folder)).toEqual({ ...readPrompts(undefined), revise: 'Once more: {{diagnosis}}' })
  await writeFile(join(folder, 'revise.md'), 'Once more: {{values}}')
  expect(() => readPrompts(folder)).toThrow(
    'revise.md has {{values}}, which is unknown; available: diagnosis',
  )
  expect(() => readPrompts(join(folder, 'none'))).toThrow('there is no such folder')
})
