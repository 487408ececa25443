import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Score } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure, type CommandInvocation } from '../command.ts'
import { createChildEnvironment, withDotEnv } from '../local/environment.ts'
import { checkout, getHomeFolder, findPinnedNode } from '../local/home.ts'
import { isAlive } from '../local/process.ts'
import { findServedScenarios } from '../local/served.ts'
import { readState } from '../local/state.ts'
import { resolveBenchmarkId } from '../suite/benchmark.ts'
import { runRequests } from '../suite/index.ts'

interface ServeOptions {
  mcp?: boolean
  benchmark?: string
  port?: string
  mongodb?: string
  stdio?: boolean
}
const backends = findServedScenarios()
const defaultPorts = Object.entries(backends).map(([scenario, { port }]) => `${port} for ${scenario}`)

export const serve = defineCommand<ServeOptions>({
  name: 'serve <scenario> [folder]',
  describe:
    "Run only a scenario's backend, or an embeddings model from a folder, until interrupted; with --mcp, offer a case's world to an agent and score the result",
  example: [
    'npx stateeval serve session-service --port 7410',
    'npx stateeval serve embeddings models/all-MiniLM-L6-v2   # a folder with model.onnx and tokenizer.json',
    'npx stateeval serve session-service-0123456789ab --mcp --benchmark benchmark/ --port 7420',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--mcp', 'offer the case with this id as an MCP server; requires --benchmark')
      .option('--benchmark <id|folder>', 'with --mcp: the benchmark that the case belongs to')
      .option('--port <port>', `port to listen on, 0 for a free one (default: ${defaultPorts.join(', ')})`)
      .option(
        '--mongodb <uri>',
        'MongoDB of the backend (default: MONGODB_URI, then the one that up started here)',
      )
      .option('--stdio', 'speak MCP over standard input and output, for clients that start their servers'),
  run: async ({ args, options, signal, terminal }) => {
    const [scenario = '', folder] = args
    if (options.mcp) return serveCase(scenario, options, { signal, terminal })
    const backend = Object.hasOwn(backends, scenario) ? backends[scenario] : undefined
    if (!backend)
      throw new Failure(
        `There is no scenario '${scenario}' with its own backend. Available: ${Object.keys(backends).join(' and ')}.`,
      )
    if (options.stdio && !backend.mcp)
      throw new Failure(`${scenario} is not an MCP server. Leave out --stdio.`)
    if (backend.folder && folder === undefined)
      throw new Failure(`${scenario} needs a model folder: npx stateeval serve ${scenario} FOLDER`)
    if (!backend.folder && folder !== undefined)
      throw new Failure(`${scenario} takes no folder: leave out '${folder}'.`)
    const port = Number(options.port ?? backend.port)
    if (!Number.isInteger(port) || port < 0 || port > 65535)
      throw new Failure(`--port takes a number from 0 to 65535, not '${options.port ?? ''}'.`)
    const env = withDotEnv(checkout, process.env)
    const variables = {
      PORT: String(port),
      HOST: '127.0.0.1',
      ...(backend.mongodb && { MONGODB_URI: options.mongodb ?? env.MONGODB_URI ?? findOwnMongo() }),
      ...(backend.mcp && { MCP_TRANSPORT: options.stdio ? 'stdio' : 'http' }),
    }
    const child = spawn(
      findPinnedNode(),
      [join(checkout, backend.main), ...(folder === undefined ? [] : [resolve(folder)])],
      {
        stdio: 'inherit',
        env: createChildEnvironment(env, variables),
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

/** Until every input of the case has ended, or the client of stdio has gone. 1 where it did not pass. */
async function serveCase(
  name: string,
  { benchmark, port = '0', stdio }: ServeOptions,
  { signal, terminal }: Pick<CommandInvocation<ServeOptions>, 'signal' | 'terminal'>,
): Promise<ExitCode> {
  if (benchmark === undefined)
    throw new Failure(
      `--mcp needs the benchmark of the case: npx stateeval serve ${name} --mcp --benchmark ID`,
    )
  const number = Number(port)
  if (!Number.isInteger(number) || number < 0 || number > 65535)
    throw new Failure(`--port takes a number from 0 to 65535, not '${port}'.`)
  return runRequests(async () => {
    // Few commands need MCP, which takes a while to load.
    const [{ McpTask: Task }, { serveMcpHttp: serveHttp, serveStdio }] = await Promise.all([
      import('../mcp/task.ts'),
      import('../mcp/server.ts'),
    ])
    const task = await Task.of(await resolveBenchmarkId(benchmark, terminal), name)
    const server = await (stdio ? serveStdio(task) : serveHttp(task, number))
    if (server.url !== null) terminal.notice(`The task is at ${server.url} (MCP over Streamable HTTP).`)
    const interrupted = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null))
      void server.end.then(() => resolve(null))
    })
    let score: Score | null
    try {
      score = await Promise.race([task.score, interrupted])
    } finally {
      // The agent gets its last answer before the server goes.
      if (!signal.aborted) await Promise.race([interrupted, pause(lastAnswerMs)])
      await server.stop()
    }
    if (score === null) throw new Failure('The task has not ended: no score.')
    const line = `${name}: ${score.verdict}`
    const metrics = Object.entries(score.metrics).map(([metric, value]) => `  ${metric}: ${value ?? '–'}`)
    const says = score.evidence.differences.map((one) => `  ${one.where}: ${one.says}`)
    const text = [line, ...metrics, ...says].join('\n')
    // On stdio, standard output is the protocol's.
    if (stdio) terminal.notice(terminal.json ? JSON.stringify(score) : text)
    else terminal.result(score, () => text)
    return score.passed ? 0 : 1
  })
}
const lastAnswerMs = 500

function findOwnMongo(): string {
  const parts = readState(getHomeFolder())?.parts ?? []
  const part = parts.find((candidate) => candidate.urls.mongodb && isAlive(candidate))
  if (part) return part.urls.mongodb as string
  throw new Failure(
    "The scenario needs MongoDB. Run 'npx stateeval up' first, or name one with --mongodb or MONGODB_URI.",
  )
}
