/** The build and its cache, with a stand-in for Go that notes each build. */
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { findCachedBinary, resolveLocalBinary, sources } from '@stateeval/local-servers/build'
import { changes } from '@stateeval/local-servers/ferretdb'

let folder: string
let env: NodeJS.ProcessEnv
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-build-'))
  for (const name of sources) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), name)
  }
  // FerretDB as Go would fetch it: no more than what is changed in it.
  for (const { file, from } of changes) {
    await mkdir(dirname(join(folder, 'ferretdb', file)), { recursive: true })
    await appendFile(join(folder, 'ferretdb', file), from)
  }
  env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') }
})
afterEach(() => rm(folder, { recursive: true }))

/** A `go` that writes the given text where -o says, and a line into builds. */
async function fakeGo({ version = 'go1.26.8', fails = false } = {}): Promise<void> {
  const script = `#!/bin/sh
if [ "$1" = env ]; then echo ${version}; exit 0; fi
if [ "$1" = mod ]; then echo '{"Dir": "${folder}/ferretdb"}'; exit 0; fi
echo built >> ${folder}/builds
${fails ? 'echo main.go:1: no such thing >&2; exit 1' : ''}
while [ "$1" != -o ]; do shift; done
sleep 0.3
printf '#!/bin/sh\\n' > "$2"; chmod +x "$2"
`
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'bin/go'), script)
  await chmod(join(folder, 'bin/go'), 0o755)
}
const builds = async () =>
  (await readFile(join(folder, 'builds'), 'utf8').catch(() => '')).split('\n').filter(Boolean).length

test('two builders at once build once, and the next finds it', async () => {
  await fakeGo()
  const [a, b] = await Promise.all([resolveLocalBinary({ env, folder }), resolveLocalBinary({ env, folder })])
  expect(a).toBe(await findCachedBinary({ env, folder }))
  expect(b).toBe(a)
  await resolveLocalBinary({ env, folder })
  expect(await builds()).toBe(1)
  expect((await readdir(dirname(a))).filter((name) => /^stateeval-local(\.\d+)?$/.test(name))).toEqual([
    'stateeval-local',
  ])
})

test('other sources are another binary', async () => {
  await fakeGo()
  const before = await resolveLocalBinary({ env, folder })
  await writeFile(join(folder, 'main.go'), 'changed')
  expect(await resolveLocalBinary({ env, folder })).not.toBe(before)
  expect(await builds()).toBe(2)
})

test('a build that fails says why and leaves nothing that could be taken for a binary', async () => {
  await fakeGo({ fails: true })
  await expect(resolveLocalBinary({ env, folder })).rejects.toThrow(/main\.go:1: no such thing/)
  await fakeGo()
  await expect(resolveLocalBinary({ env, folder })).resolves.toMatch(/stateeval-local$/)
})

test('a Go that is too old is named with what to do', async () => {
  await fakeGo({ version: 'go1.19.8' })
  await expect(resolveLocalBinary({ env, folder })).rejects.toThrow(
    /need Go 1\.26 and this is go1\.19: install it \(https:\/\/go\.dev\/dl/,
  )
})

test('STATEEVAL_LOCAL_BINARY comes first, and must be there', async () => {
  await fakeGo()
  expect(
    await resolveLocalBinary({ env: { ...env, STATEEVAL_LOCAL_BINARY: process.execPath }, folder }),
  ).toBe(process.execPath)
  await expect(
    resolveLocalBinary({ env: { ...env, STATEEVAL_LOCAL_BINARY: '/nowhere' }, folder }),
  ).rejects.toThrow(/not an executable file: correct or unset it/)
  expect(await builds()).toBe(0)
})

test('a FerretDB that our changes were not made for is named, and not built', async () => {
  await fakeGo()
  const { file } = changes[0]!
  await writeFile(join(folder, 'ferretdb', file), 'another one')
  await expect(resolveLocalBinary({ env, folder })).rejects.toThrow(
    new RegExp(`FerretDB: ${file.replaceAll('.', '\\.')} is not the version`),
  )
  expect(await builds()).toBe(0)
})
