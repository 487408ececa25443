import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gatherBinds } from './gather.ts'

let place: string
const names = ['a.so', 'b.so', 'c.so', 'd.so', 'e.so']
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'stateeval-gather-'))
  for (const name of names) writeFileSync(join(place, name), `of ${name}`)
  mkdirSync(join(place, 'folder'))
})
afterAll(() => rmSync(place, { recursive: true }))
const bind = (name: string, target: string) => ({ source: join(place, name), target })

test('many files of a folder are one mount with their content', () => {
  const binds = [bind('a.so', '/bin/tool'), ...names.map((name) => bind(name, `/lib/${name}.1`))]
  const ownFolder = join(place, 'one')
  expect(gatherBinds(binds, ownFolder)).toEqual([{ source: join(ownFolder, '0'), target: '/lib' }, binds[0]])
  expect(readdirSync(join(ownFolder, '0'))).toEqual(names.map((name) => `${name}.1`))
  expect(readFileSync(join(ownFolder, '0', 'b.so.1'), 'utf8')).toBe('of b.so')
})

test('what is mounted below has its place there, and comes later', () => {
  const below = [bind('folder', '/lib/deep/folder'), bind('a.so', '/lib/deep/file')]
  const ownFolder = join(place, 'two')
  const mounts = gatherBinds([...below, ...names.map((name) => bind(name, `/lib/${name}`))], ownFolder)
  expect(mounts).toEqual([{ source: join(ownFolder, '0'), target: '/lib' }, ...below])
  expect(readdirSync(join(ownFolder, '0', 'deep'))).toEqual(['file', 'folder'])
})

test('few files stay as they are', () => {
  const binds = [bind('a.so', '/lib/a'), bind('folder', '/lib/folder')]
  expect(gatherBinds(binds, join(place, 'three'))).toEqual(binds)
})
