/** The small model as a process with an endpoint, as tests use it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { LlamaServer, SmallModel } from './obtain.ts'

export interface SmallEndpoint {
  baseUrl: string
  stop(): void
}

/** The arguments of its server. */
export const serverOf = ({ modules, gguf }: Extract<SmallModel, { ok: true }>) => [
  join(import.meta.dirname, 'server.ts'),
  modules,
  gguf,
]

/** Resolves when it answers. Rejects where it ends before. */
async function startEndpoint(
  command: string,
  args: readonly string[],
  added: NodeJS.ProcessEnv = {},
): Promise<SmallEndpoint> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const child: ChildProcess = spawn(command, args, {
    env: { ...env, ...added },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the model’s server ended with ${code}`)))
    child.stdout?.on('data', (text: Buffer) => {
      const url = /ready (\S+)/.exec(text.toString())?.[1]
      if (url) resolve(url)
    })
  })
  return { baseUrl, stop: () => void child.kill('SIGKILL') }
}

/** node-llama-cpp behind a thin server; `args` are more of the server's options. */
export const startSmallModel = (
  smallModel: Extract<SmallModel, { ok: true }>,
  args: readonly string[] = [],
): Promise<SmallEndpoint> => startEndpoint(process.execPath, [...serverOf(smallModel), ...args])

/** llama.cpp's own server. */
export const startLlamaServer = ({
  packages,
  gguf,
}: Extract<LlamaServer, { ok: true }>): Promise<SmallEndpoint> =>
  startEndpoint('python3', [join(import.meta.dirname, 'llama-server.py'), gguf], { PYTHONPATH: packages })
