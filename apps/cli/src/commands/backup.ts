import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupManifest, CollectionName } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { createCounter } from '../suite/counter.ts'
import { makeFolder, writePieces, writeText } from '../suite/output.ts'

/** A collection's documents, page by page. */
async function* readPages(id: string, collection: CollectionName): AsyncGenerator<string[]> {
  for (let cursor: string | undefined; ;) {
    const query = cursor === undefined ? {} : { cursor }
    const { items, next } = await connectEvaluation().getBackup({ params: { id, collection }, query })
    yield items
    if (next === undefined) return
    cursor = next
  }
}

/** Writes documents, and gives their number and the file's hash. */
async function writeDocuments(
  pages: AsyncIterable<string[]>,
  path: string,
  tell: (documents: number) => void,
) {
  const hash = createHash('sha256')
  let documents = 0
  async function* lines() {
    for await (const items of pages) {
      for (const line of items) {
        hash.update(`${line}\n`)
        yield `${line}\n`
      }
      documents += items.length
      tell(documents)
    }
  }
  await writePieces(path, lines())
  return { documents, sha256: hash.digest('hex') }
}

export const backup = defineCommand<{ out: string }>({
  name: 'backup <project>',
  describe: 'Write what a project has made to a folder',
  example: 'npx stateeval backup default --out backup',
  configure: (command) => command.requiredOption('--out <folder>', 'a new or empty folder'),
  run: async ({ options: { out }, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const id = args[0]!
      await makeFolder(out)
      if ((await readdir(out)).length > 0) throw new Failure(`${out} is not empty. Name a new folder.`)
      const { items } = await connectEvaluation().listBackup({ params: { id } })
      const files: BackupManifest['files'] = []
      const total = items.reduce((sum, { documents }) => sum + documents, 0)
      const tell = createCounter('backup', total, terminal)
      let before = 0
      const write = async (name: CollectionName, pages: AsyncIterable<string[]>) => {
        const file = `${name}.jsonl`
        const path = join(out, file)
        const written = await writeDocuments(pages, path, (documents) => tell(before + documents, name))
        before += written.documents
        files.push({ file, collection: name, ...written })
      }
      // Artifacts and answers come last: other documents refer to them, and some may be stored meanwhile.
      const [artifacts, answers, ...others] = items
      for (const one of [...others, answers, artifacts])
        if (one) await write(one.name, readPages(id, one.name))
      const manifest: BackupManifest = { backup: 2, project: id, madeAt: new Date().toISOString(), files }
      // Last: a folder without it is no backup.
      await writeText(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
      const documents = files.reduce((sum, file) => sum + file.documents, 0)
      terminal.result(
        { project: id, out, documents },
        () =>
          `${documents} documents of ${id} are in ${out}. Restore them with: npx stateeval restore ${out} --project PROJECT`,
      )
      return 0
    }),
})
