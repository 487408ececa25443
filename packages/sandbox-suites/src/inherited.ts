/**
 * Run by inherited.test.ts from a shell that has files open: what programs at each level, and all processes
 * of jails as the host sees them, have of those. Prints JSON.
 */
import { readdirSync, readlinkSync } from 'node:fs'
import { type JsonValue, type Language, toJson } from '@stateeval/contracts'
import { completeLimits, createLocalSandbox, createNoWorld, type IsolationLevel } from '@stateeval/sandbox'
import { listDescendants } from '@stateeval/jail'

const folder = process.argv[2]!
const levels = process.argv.slice(3) as IsolationLevel[]

/**
 * Files and folders among all descriptors that a process may have, with what can be read; and those that can
 * be written to.
 */
const programs: Record<Language, string> = {
  javascript: `const fs = require('fs'); RESULT = [];
for (let fd = 0; fd < 70000; fd++) {
  let kind; try { kind = fs.fstatSync(fd) } catch { continue }
  if (!kind.isFile() && !kind.isDirectory()) continue;
  let text = ''; try { const bytes = Buffer.alloc(100); text = bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, 100, 0)) } catch {}
  try { fs.writeSync(fd, 'attack') ; text += ' written' } catch {}
  RESULT.push([fd, text]);
}`,
  python: `import os, stat
RESULT = []
for fd in range(70000):
    try:
        mode = os.fstat(fd).st_mode
    except OSError:
        continue
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        continue
    text = ""
    try:
        text = os.pread(fd, 100, 0).decode("latin1")
    except OSError:
        pass
    try:
        os.write(fd, b"attack")
        text += " written"
    except OSError:
        pass
    RESULT.append([fd, text])`,
}

const sandbox = await createLocalSandbox({})
const world = createNoWorld()
const reports: JsonValue[] = []
try {
  for (const level of levels)
    for (const language of sandbox.languages) {
      const run = (code: string) =>
        sandbox.run(
          {
            language,
            code,
            inputs: [{ variables: {}, world: null }],
            world,
            limits: completeLimits({ wallMs: 60_000 }),
            level,
          },
          new AbortController().signal,
        )
      // While it waits, the host looks at the processes that there are; then at those that stay.
      const [[observation], descriptors] = await Promise.all([run(programs[language]), lookedAt()])
      await run('RESULT = 1')
      reports.push({
        level,
        language,
        ending: toJson(observation!.ending),
        held: [...new Set([...descriptors, ...heldNow()])],
      })
    }
} finally {
  await sandbox.close()
}
console.log(JSON.stringify(reports))

/** Lists descriptors of our folder, among those of all processes that this one has started. */
function heldNow(): string[] {
  return listDescendants(process.pid)
    .slice(1)
    .flatMap((pid) => list(`/proc/${pid}/fd`).map((fd) => link(`/proc/${pid}/fd/${fd}`)))
    .filter((path) => path.startsWith(folder))
}
async function lookedAt(): Promise<string[]> {
  const descriptors: string[] = []
  for (let turn = 0; turn < 40; turn++) {
    descriptors.push(...heldNow())
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return descriptors
}
function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
