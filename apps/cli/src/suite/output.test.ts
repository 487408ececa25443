import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { Failure } from '../command.ts'
import { writeStream } from '../export/write-stream.ts'
import { createTerminal } from '../terminal.ts'
import { writeFolder } from './folder.ts'
import { writePieces } from './output.ts'

/** Pieces that come later than the error of the one before. */
async function* slowly(...pieces: string[]) {
  for (const piece of pieces) {
    yield piece
    await pause(50)
  }
}
const failure = (text: string) =>
  expect.objectContaining({ constructor: Failure, message: expect.stringContaining(text) })

async function inFolder(work: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-output-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('a disk that is full or a missing folder is a failure, also between two pieces', async () => {
  await expect(writePieces('/dev/full', slowly('a', 'b'))).rejects.toEqual(
    failure("/dev/full can't be written (ENOSPC)"),
  )
  await expect(writePieces('/nowhere/x', slowly('a', 'b'))).rejects.toEqual(failure('(ENOENT)'))
})

test('what is written as a stream is there completely or not at all', () =>
  inFolder(async (folder) => {
    const silent = { write: () => true } as unknown as NodeJS.WriteStream
    const terminal = createTerminal(false, {
      stdout: silent,
      stderr: silent,
      colors: false,
      progressLines: false,
    })
    async function* bytes(fails: boolean) {
      for await (const piece of slowly('a\n', 'b\n')) yield Buffer.from(piece)
      if (fails) throw new Error('cut off')
    }
    const path = join(folder, 'rows.jsonl')
    await expect(writeStream(bytes(true), path, terminal)).rejects.toThrow('cut off')
    expect(await readdir(folder)).toEqual([])
    expect(await writeStream(bytes(false), path, terminal)).toBe(4)
    expect(await readFile(path, 'utf8')).toBe('a\nb\n')
  }))

test('a benchmark folder that cannot be written leaves no half of one', () =>
  inFolder(async (folder) => {
    const files = { 'manifest.json': '{}', ['x'.repeat(300)]: '' }
    await expect(writeFolder(join(folder, 'set'), files)).rejects.toEqual(failure('(ENAMETOOLONG)'))
    expect(await readdir(folder)).toEqual([])
  }))
