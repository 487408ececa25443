/**
 * A copy of this checkout in which things may be added: sources are copied, packages of others are linked.
 */
import { execFile } from 'node:child_process'
import { cp, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const folders = ['apps', 'benchmarks', 'packages', 'scenarios', 'scripts', 'services']
const leftOut = new Set(['node_modules', 'golden', 'sample', 'test', 'fixtures', '.stateeval'])

/** Copies the checkout into an empty folder. */
export async function copyCheckout(to: string): Promise<void> {
  for (const folder of folders)
    await cp(join(root, folder), join(to, folder), {
      recursive: true,
      filter: (path) => !leftOut.has(basename(path)) && !path.endsWith('.test.ts'),
    })
  for (const file of ['package.json', 'docs/glossary.md']) await cp(join(root, file), join(to, file))
  await linkPackages(join(root, 'node_modules'), join(to, 'node_modules'))
  for (const folder of folders)
    for (const name of ['.', ...(await readdir(join(root, folder)))]) {
      const modules = join(folder, name, 'node_modules')
      if (await isThere(join(root, modules))) await symlink(join(root, modules), join(to, modules))
    }
}

/** Packages of others are links to where they are; those of ours point into the copy, as they do here. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(join(to, '@stateeval'), { recursive: true })
  for (const name of await readdir(from))
    if (name !== '@stateeval' && name !== '.cache') await symlink(join(from, name), join(to, name))
  for (const name of await readdir(join(from, '@stateeval')))
    await symlink(await readlink(join(from, '@stateeval', name)), join(to, '@stateeval', name))
}

/**
 * What a person does: copies a folder there, adds its line to the list, and lets npm link it (here by hand).
 */
export async function addMember(
  checkout: string,
  list: 'scenarios' | 'benchmarks',
  folder: string,
): Promise<void> {
  const name = basename(folder)
  await cp(folder, join(checkout, list, name), { recursive: true })
  const file = join(checkout, list, 'folders.ts')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/,?\n?\] as const/, `, '${name}'] as const`))
  await symlink(
    `../../${list}/${name}`,
    join(checkout, 'node_modules/@stateeval', `${list.slice(0, -1)}-${name}`),
  )
}

interface Ran {
  code: number
  out: string
  err: string
}
/** Runs a script of the copy with this Node. */
export async function runScript(
  checkout: string,
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(checkout, script), ...args],
      {
        cwd: checkout,
        env,
        maxBuffer: 64 * 2 ** 20,
      },
    )
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (typeof code !== 'number') throw error
    return { code, out: stdout ?? '', err: stderr ?? '' }
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
