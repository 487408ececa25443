/** Folders of containers on the host. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { openContainers, removeOldContainers } from './containers.ts'

const asRoot = process.getuid?.() === 0 ? test : test.skip

asRoot('folders of processes that are gone are removed, those of others stay', () => {
  const place = mkdtempSync(join(tmpdir(), 'stateeval-sweep-'))
  try {
    const live = openContainers(process.execPath, place)
    const [ownFolder] = readdirSync(place)
    const deadFolder = ownFolder!.replace(/-\d+-(\d+)-\d+$/, `-${process.pid}-1-1`)
    for (const name of [deadFolder, 'others']) mkdirSync(join(place, name, 'state'), { recursive: true })
    removeOldContainers(place)
    expect(readdirSync(place).sort()).toEqual([ownFolder, 'others'].sort())
    void live.close()
    expect(readdirSync(place)).toEqual(['others'])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
