import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { childEnvironment, withDotEnv } from '../local/environment.ts'
import { checkout, homeFolder, pinnedNode } from '../local/home.ts'
import { isAlive } from '../local/process.ts'
import { servedScenarios } from '../local/served.ts'
import { readState } from '../local/state.ts'

interface Options {
  port?: string
  mongodb?: string
  stdio?: boolean
}
const backends = servedScenarios()
const defaultPorts = Object.entries(backends).map(([scenario, { port }]) => `${port} for ${scenario}`)

export const serve = defineCommand<Options>({
  name: 'serve <scenario> [folder]',
  describe: "Run only a scenario's backend, or an embeddings model from a folder, until interrupted",
  example: [
    'npx stateeval serve session-service --port 7410',
    'npx stateeval serve embeddings models/all-MiniLM-L6-v2   # a folder with model.onnx and tokenizer.json',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--port <port>', `port to listen on, 0 for a free one (default: ${defaultPorts.join(', ')})`)
      .option('--mongodb <uri>', 'its MongoDB (default: MONGODB_URI, then the one that up started here)')
      .option('--stdio', 'speak MCP over standard input and output, for clients that start their servers'),
  run: async ({ args, options, signal }) => {
    const [scenario = '', folder] = args
    const backend = Object.hasOwn(backends, scenario) ? backends[scenario] : undefined
    if (!backend)
      throw new Failure(
        `There is no scenario '${scenario}' with a backend of its own; there are ${Object.keys(backends).join(' and ')}.`,
      )
    if (options.stdio && !backend.mcp) throw new Failure(`${scenario} is no MCP server: leave out --stdio.`)
    if (backend.folder && folder === undefined)
      throw new Failure(`${scenario} needs the folder of a model: npx stateeval serve ${scenario} FOLDER`)
    if (!backend.folder && folder !== undefined)
      throw new Failure(`${scenario} takes no folder: leave out '${folder}'.`)
    const port = Number(options.port ?? backend.port)
    if (!Number.isInteger(port) || port < 0 || port > 65535)
      throw new Failure(`--port takes a number from 0 to 65535, not '${options.port ?? ''}'.`)
    const env = withDotEnv(checkout, process.env)
    const variables = {
      PORT: String(port),
      HOST: '127.0.0.1',
      ...(backend.mongodb && { MONGODB_URI: options.mongodb ?? env.MONGODB_URI ?? ownMongo() }),
      ...(backend.mcp && { MCP_TRANSPORT: options.stdio ? 'stdio' : 'http' }),
    }
    const child = spawn(
      pinnedNode(),
      [join(checkout, backend.main), ...(folder === undefined ? [] : [resolve(folder)])],
      {
        stdio: 'inherit',
        env: childEnvironment(env, variables),
      },
    )
    signal.addEventListener('abort', () => child.kill('SIGTERM'))
    process.once('SIGTERM', () => child.kill('SIGTERM'))
    return new Promise<ExitCode>((done, reject) => {
      child.once('error', reject)
      child.once('exit', (code, by) => done(code === 0 || by === 'SIGTERM' || signal.aborted ? 0 : 2))
    })
  },
})

function ownMongo(): string {
  const parts = readState(homeFolder())?.parts ?? []
  const part = parts.find((candidate) => candidate.urls.mongodb && isAlive(candidate))
  if (part) return part.urls.mongodb as string
  throw new Failure(
    "It needs a MongoDB: run 'npx stateeval up' first, or name one with --mongodb or MONGODB_URI.",
  )
}
