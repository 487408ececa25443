import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { childEnvironment, withDotEnv } from '../local/environment.ts'
import { checkout, homeFolder, pinnedNode } from '../local/home.ts'
import { isAlive } from '../local/process.ts'
import { readState } from '../local/state.ts'

export const serve = defineCommand<{ port: string; mongodb?: string }>({
  name: 'serve <scenario>',
  describe: "Run a scenario's backend on its own until it is interrupted",
  example: 'npx stateeval serve session-service --port 7410',
  configure: (command) =>
    command
      .option('--port <port>', 'where it listens, 0 for a free port', '7410')
      .option('--mongodb <uri>', 'its MongoDB (else MONGODB_URI, else the one that up started here)'),
  run: async ({ args, options, signal }) => {
    const [scenario = ''] = args
    const entry = join(checkout, 'scenarios', scenario, 'backend/main.ts')
    if (!/^[a-z0-9-]+$/.test(scenario) || !existsSync(entry))
      throw new Failure(`There is no scenario '${scenario}' with a backend of its own; session-service has one.`)
    const port = Number(options.port)
    if (!Number.isInteger(port) || port < 0 || port > 65535)
      throw new Failure(`--port takes a number from 0 to 65535, not '${options.port}'.`)
    const env = withDotEnv(checkout, process.env)
    const mongodb = options.mongodb ?? env.MONGODB_URI ?? ownMongo()
    const child = spawn(pinnedNode(), [entry], {
      stdio: 'inherit',
      env: childEnvironment(env, { PORT: String(port), HOST: '127.0.0.1', MONGODB_URI: mongodb }),
    })
    signal.addEventListener('abort', () => child.kill('SIGTERM'))
    process.once('SIGTERM', () => child.kill('SIGTERM'))
    return new Promise<ExitCode>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, by) => resolve(code === 0 || by === 'SIGTERM' || signal.aborted ? 0 : 2))
    })
  },
})

function ownMongo(): string {
  const parts = readState(homeFolder())?.parts ?? []
  const part = parts.find((candidate) => candidate.urls.mongodb && isAlive(candidate))
  if (part) return part.urls.mongodb as string
  throw new Failure("It needs a MongoDB: run 'npx stateeval up' first, or name one with --mongodb or MONGODB_URI.")
}
