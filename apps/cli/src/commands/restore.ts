import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { backupCollections, BackupManifest, findSchemaFault } from '@stateeval/contracts'
import { splitLines } from '@stateeval/local-servers/lines'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { createCounter } from '../suite/counter.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { readText, unreadable } from '../text-file.ts'

const together = 200
const pageLength = 4 * 2 ** 20

async function readBackupManifest(folder: string): Promise<BackupManifest> {
  const text = await readText(join(folder, 'manifest.json')).catch(
    unreadable(`${folder} contains no backup: it has no manifest.json. Name a folder that backup wrote.`),
  )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failure(`${folder}/manifest.json is not JSON. Make the backup again.`)
  }
  const fault = findSchemaFault(BackupManifest, value)
  if (fault) throw new Failure(`${folder}/manifest.json: ${fault.field || 'it'} ${fault.says}.`)
  return value as BackupManifest
}

/** Before anything is sent: a folder that was changed is refused whole. */
async function checkFiles(folder: string, { files }: BackupManifest): Promise<void> {
  for (const { file, sha256 } of files) {
    const hash = createHash('sha256')
    try {
      for await (const piece of createReadStream(join(folder, file))) hash.update(piece as Buffer)
    } catch {
      throw new Failure(`${file} is missing in ${folder}. Make the backup again.`)
    }
    if (hash.digest('hex') !== sha256)
      throw new Failure(`${file} does not match its manifest. Make the backup again.`)
  }
}

/** A file's lines. */
export async function* readFileLines(path: string): AsyncGenerator<string> {
  const rest = yield* splitLines(createReadStream(path, 'utf8'))
  if (rest !== '') yield rest
}

interface EarlierDocument {
  _id: string
  text?: string
  of?: { $numberInt: string }
  data?: { $binary: { base64: string } }
}
/** A line of a backup of an earlier version (1) in today’s form; null for a mark, which has no content. */
export function convertEarlierLine(line: string): string | null {
  const { _id: id, text, of, data } = JSON.parse(line) as EarlierDocument
  if (text !== undefined) return JSON.stringify({ id, text })
  return of && data ? JSON.stringify({ id, of: Number(of.$numberInt), data: data.$binary.base64 }) : null
}

/** A file's lines, as many at a time as one request may hold. */
async function* readLinePages(path: string, isEarlier: boolean): AsyncGenerator<string[]> {
  let page: string[] = []
  let length = 0
  for await (const stored of readFileLines(path)) {
    const line = isEarlier ? convertEarlierLine(stored) : stored
    if (line === null) continue
    if (page.length === together || (page.length > 0 && length + line.length > pageLength)) {
      yield page
      page = []
      length = 0
    }
    page.push(line)
    length += line.length
  }
  if (page.length > 0) yield page
}

export const restore = defineCommand<{ project?: string }>({
  name: 'restore <folder>',
  describe: 'Restore the documents of a backup into an empty project',
  example: 'npx stateeval restore backup --project speech-team',
  configure: (command) =>
    command.option('--project <id>', 'the target project (default: the one in the backup)'),
  run: async ({ options, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const folder = args[0]!
      const manifest = await readBackupManifest(folder)
      await checkFiles(folder, manifest)
      const { project = manifest.project } = options
      const sum = { inserted: 0, present: 0, leftOut: 0 }
      const total = manifest.files.reduce((all, { documents }) => all + documents, 0)
      const tell = createCounter('restore', total, terminal)
      for (const collection of backupCollections) {
        const named = manifest.files.find((one) => one.collection === collection)
        if (!named) continue
        for await (const documents of readLinePages(join(folder, named.file), manifest.backup === 1)) {
          const { inserted, present, leftOut } = await connectEvaluation().restoreBackup({
            params: { id: project },
            body: { collection, documents },
          })
          sum.inserted += inserted
          sum.present += present
          sum.leftOut += leftOut
          tell(sum.inserted + sum.present + sum.leftOut, collection)
        }
      }
      const leftOut =
        sum.leftOut > 0 ? ` ${sum.leftOut} belong to work that is not in the backup and were left out.` : ''
      terminal.result(
        { project, ...sum },
        () =>
          `${sum.inserted} documents were restored into ${project}; ${sum.present} already existed.${leftOut}`,
      )
      return 0
    }),
})
