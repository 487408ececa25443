/** Files in other encodings than UTF-8 are refused, and missing ones have a message of their reader. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { readText, unreadable } from './text-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-text-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a text in UTF-8 is read without its byte order mark', async () => {
  await writeFile(join(folder, 'a'), '\uFEFFcafé')
  expect(await readText(join(folder, 'a'))).toBe('café')
})

test.each([
  ['Latin-1', Buffer.from('café', 'latin1')],
  ['UTF-16', Buffer.from('\uFEFFcafé', 'utf16le')],
])('a text in %s is refused with the encoding to save it in', async (_, bytes) => {
  const file = join(folder, 'a')
  await writeFile(file, bytes)
  await expect(readText(file).catch(unreadable('it cannot be read'))).rejects.toThrow(
    `${file} is not UTF-8 text. Save it as UTF-8.`,
  )
})

test('a missing file has the message of its caller', async () => {
  await expect(readText(join(folder, 'a')).catch(unreadable('it cannot be read'))).rejects.toThrow(
    'it cannot be read',
  )
})
