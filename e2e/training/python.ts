/** Programs of a package from PyPI, with the client for Python of this checkout. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { longPythonTools } from '../../scripts/python-tools.ts'

export type Tools = ReturnType<typeof longPythonTools>

/** What such a program finds in its environment; `bin` comes first on its path. */
export const environmentOf = (url: string, bin: string) => ({
  ...process.env,
  ...{
    PATH: `${bin}:${process.env['PATH']}`,
    PYTHONPATH: join(import.meta.dirname, '../../clients/python/src'),
  },
  ...{ PYTHONDONTWRITEBYTECODE: '1', STATEEVAL_URL: url, NO_COLOR: '1' },
})

export const binOf = (tools: Tools): string => {
  if (!tools.ok) throw new Error(tools.reason)
  return tools.bin('')
}

/** Runs a program to its end, and gives what it printed. */
export async function inPython(tools: Tools, url: string, cwd: string, name: string, args: string[]) {
  const bin = binOf(tools)
  const options = { cwd, env: environmentOf(url, bin), maxBuffer: 2 ** 26, timeout: 900_000 }
  const { stdout } = await promisify(execFile)(join(bin, name), args, options).catch(
    (error: { message: string; stdout: string; stderr: string }) => {
      throw new Error(`${name}: ${error.message}\n${error.stdout}${error.stderr}`.slice(-6000))
    },
  )
  return stdout
}
