/** Python as a reader has it who follows a page: a virtual environment to install packages into. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { longPythonTools } from '../../scripts/python-tools.ts'

const reasons = new Map<string, string | null>()

/** Why tools cannot be used; null where they can. They are installed at the first question. */
export function lacksTools(name: string): string | null {
  const known = reasons.get(name)
  if (known !== undefined) return known
  const tools = longPythonTools(name as Parameters<typeof longPythonTools>[0])
  const reason = tools.ok ? null : tools.reason
  reasons.set(name, reason)
  return reason
}

/**
 * Makes an environment that has the packages of `scripts/<name>` and takes others, which are lost with it.
 * @returns its folder of programs
 */
export function makeEnvironment(name: string, home: string): string {
  const tools = longPythonTools(name as Parameters<typeof longPythonTools>[0])
  if (!tools.ok) throw new Error(tools.reason)
  const shared = dirname(tools.bin('python'))
  execFileSync(tools.bin('python'), ['-m', 'venv', '--without-pip', home])
  const [own] = globSync('lib/python*/site-packages', { cwd: home })
  writeFileSync(join(home, own!, 'shared.pth'), `${join(dirname(shared), own!)}\n`)
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  const present = new Set(readdirSync(bin))
  // Its programs would start the shared interpreter, which does not see what is installed here.
  for (const { name: program } of readdirSync(shared, { withFileTypes: true }).filter((one) =>
    one.isFile(),
  )) {
    if (present.has(program)) continue
    const text = readFileSync(join(shared, program), 'latin1')
    if (!text.startsWith(`#!${shared}/python`)) continue
    const script = text.replace(/^.*\n/, `#!${bin}/python\n`)
    writeFileSync(join(bin, program), script, { encoding: 'latin1', mode: 0o755 })
  }
  return bin
}
