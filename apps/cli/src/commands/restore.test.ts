import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { convertEarlierLine, readFileLines } from './restore.ts'

test('a line of a backup may hold any other separator of lines, and be longer than a piece of the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-cli-'))
  try {
    const lines = ['{"a":"x\u2028y\u2029z\u0085\r"}', `{"long":"${'ä'.repeat(300_000)}"}`, '{}']
    for (const end of ['\n', '']) {
      await writeFile(join(folder, 'a.jsonl'), lines.join('\n') + end)
      const read = []
      for await (const line of readFileLines(join(folder, 'a.jsonl'))) read.push(line)
      expect(read).toEqual(lines)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.each([
  [
    '{"_id":"smol","rev":{"$numberInt":"3"},"text":"{\\"a\\":1.0}","series":"x"}',
    { id: 'smol', text: '{"a":1.0}' },
  ],
  [
    '{"_id":"0f:0","of":{"$numberInt":"1"},"data":{"$binary":{"base64":"H4sI","subType":"00"}}}',
    { id: '0f:0', of: 1, data: 'H4sI' },
  ],
  ['{"_id":"0f:plain"}', null],
])('the line %s of an earlier backup is restored as today’s', (line, document) => {
  const today = convertEarlierLine(line)
  expect(today && JSON.parse(today)).toEqual(document)
})
