/**
 * Types the commands and Python of the documentation, page by page, into a suite that `npx stateeval up`
 * started. Names and addresses in the pages stand for those of the suite (`names.ts`). Notes above a block
 * say what it needs (`scripts/markdown/scan.ts`), or why it is not run.
 */
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLong, freePort } from '@stateeval/testkit'
import { type Block, blocks, isShell } from '../scripts/snippets/blocks.ts'
import { substituted } from './documentation/names.ts'
import { type DocumentedSuite, startDocumentedSuite } from './documentation/suite.ts'
import { shopText } from '../benchmarks/wapiibench/test/creation/tasks.ts'
import { lacksTools, makeEnvironment } from './documentation/tools.ts'
import { createReader } from './documentation/typing.ts'

const root = join(import.meta.dirname, '..')
const datasets = process.env['STATEEVAL_DATASETS']
const publishedData = 'published data'

const isTyped = (block: Block) => (isShell(block) || block.language === 'python') && block.notRun === null
// The examples of --help are checked by scripts/snippets only.
const ofHelp = 'docs/commands.md'
const pages = Map.groupBy(
  blocks().filter((block) => isTyped(block) && block.page !== ofHelp),
  ({ page }) => page,
)

let suite: DocumentedSuite | undefined
if (isLong) {
  beforeAll(async () => {
    suite = await startDocumentedSuite()
  })
  afterAll(async () => {
    await suite?.stop()
  })
}

/** Why a block cannot run on this machine; null where it can. */
function lacks({ runWith }: Block): string | null {
  if (runWith === publishedData) return datasets === undefined ? 'STATEEVAL_DATASETS is not set' : null
  return runWith === null ? null : lacksTools(runWith)
}

/** What a page's commands find in their folder: the checkout, and files that a reader has. */
async function folderFor(page: string, { scratch, model }: DocumentedSuite): Promise<string> {
  const folder = join(scratch, page.replaceAll('/', '-'))
  await mkdir(folder)
  for (const name of await readdir(root))
    if (!name.startsWith('.') && !name.startsWith('isolate') && name !== 'benchmarks')
      await symlink(join(root, name), join(folder, name))
  await symlink(join(root, 'benchmarks'), join(folder, 'benchmarks'))
  const own = join(scratch, 'benchmark')
  // Pages that build their own replace the folder, which a link cannot be.
  await cp(own, join(folder, 'benchmark'), { recursive: true })
  if (page !== 'README.md') await cp(own, join(folder, 'my-benchmark'), { recursive: true })
  const settings = JSON.stringify({ baseUrl: `http://${model}/v1`, model: 'scripted' })
  const files: Record<string, string> = {
    'program.py': 'RESULT = {}\n',
    'program.js': 'RESULT = {}\n',
    'client.js':
      "const axios = require('axios')\naxios.get('https://eu.shop.example/v1/orders/o17', { headers: { Authorization: 'Bearer token' } })\n",
    'input.json': '{"variables": {}, "world": {"items": []}}',
    'model.json': settings,
    'mine.json': settings,
    'shop.yaml': shopText,
    'key.pem': '',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  if (datasets !== undefined && pages.get(page)!.some(({ runWith }) => runWith === publishedData))
    for (const kind of ['nestful', 'wapiibench'])
      await cp(join(datasets, kind), join(folder, 'datasets', kind), { recursive: true })
  return folder
}

test('pages have commands to run', () => {
  expect(pages.size).toBeGreaterThan(25)
})

const each = isLong ? test.each([...pages.keys()]) : test.skip.each([...pages.keys()])
each('%s: its commands run', async (page) => {
  const { scratch, bin, environment, url, up } = suite!
  await up()
  const folder = await folderFor(page, suite!)
  const ports = await Promise.all(Array.from({ length: 8 }, freePort))
  const environments = new Map<string, string>()
  const environmentFor = (tools: string) => {
    if (tools === publishedData) return bin
    const home = join(scratch, `${page.replaceAll('/', '-')}-${tools}`)
    const made = environments.get(tools) ?? makeEnvironment(tools, home)
    environments.set(tools, made)
    return made
  }
  const place = { folder, path: [bin], environment, url: `http://${url('evaluation')}` }
  const reader = createReader(place, environmentFor)
  const failed: unknown[] = []
  try {
    for (const block of pages.get(page)!) {
      const missing = lacks(block)
      if (missing !== null) {
        console.log(`not run: ${page}:${block.line}: ${missing}`)
        continue
      }
      const script = substituted(block.text, suite!, ports)
      const serves = block.serves === null ? null : substituted(block.serves, suite!, ports)
      const { code, out, err } = await reader.type({ ...block, serves }, script)
      if (/stateeval down/.test(script)) await up()
      if (code !== 0)
        failed.push({ line: block.line, code, script, out: out.slice(-500), err: err.slice(-1500) })
    }
  } finally {
    await reader.close()
  }
  // As soon as it is known: the whole takes long.
  process.stderr.write(
    `${page}: ${failed.length} failed ${failed.length > 0 ? JSON.stringify(failed, null, 1) : ''}\n`,
  )
  expect(failed).toEqual([])
})
