import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatPlural } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { parseInteger } from '../suite/options.ts'
import { writeText } from '../suite/output.ts'
import { type CommandTerminal, formatTable } from '../terminal.ts'
import { formatInference, inferFromText } from '../world/infer.ts'
import {
  certifyApi,
  formatCertificate,
  formatProbe,
  type LiveOptions,
  parseReset,
  planProbe,
  probeApi,
  readCertificate,
  readModel,
} from '../world/live.ts'
import { readWorldSource } from '../world/source.ts'
import { parseDigest, pushWorld } from '../world/store.ts'

interface WorldOptions extends Omit<LiveOptions, 'allow'> {
  out?: string
  allow?: string
  dropped?: boolean
  dryRun?: boolean
  check?: string
  port: number
}

const listNames = (text = '') => text.split(',').flatMap((name) => name.trim() || [])
const writeJson = async (file: string | undefined, value: unknown) => {
  if (file !== undefined) await writeText(file, `${JSON.stringify(value, null, 2)}\n`)
}

async function infer(source: string, options: WorldOptions, terminal: CommandTerminal): Promise<ExitCode> {
  const { name, text } = await readWorldSource(source, listNames(options.allow))
  const report = await inferFromText(text, name)
  if (options.out !== undefined && !report.model)
    throw new Failure('Tools are only reported; a model needs an OpenAPI document.')
  await writeJson(options.out, report.model)
  terminal.result(report, () => formatInference(report, options.dropped === true))
  return 0
}

const readLiveOptions = (options: WorldOptions): LiveOptions => ({
  ...options,
  allow: listNames(options.allow),
})

async function probe(source: string, options: WorldOptions, terminal: CommandTerminal): Promise<ExitCode> {
  const model = await readModel(source)
  if (options.dryRun) {
    const plan = planProbe(model)
    terminal.result(plan, () =>
      formatTable(
        ['request', 'writes'],
        plan.map(({ request, writes }) => [request, writes ? 'yes' : 'no']),
      ),
    )
    return 0
  }
  const report = await probeApi(model, readLiveOptions(options), terminal)
  await writeJson(options.out, report.model)
  terminal.result(report, () => formatProbe(report))
  return 0
}

async function certify(source: string, options: WorldOptions, terminal: CommandTerminal): Promise<ExitCode> {
  const model = await readModel(source)
  const live = readLiveOptions(options)
  if (options.check !== undefined) {
    const before = await readCertificate(options.check, model)
    const sameCalls = { ...live, seed: before.seed, sequences: before.sequences }
    const { certificate: now } = await certifyApi(model, sameCalls, terminal, before.agreed === before.calls)
    terminal.result(now, () => formatCertificate(now))
    return now.agreed * before.calls >= before.agreed * now.calls ? 0 : 1
  }
  const { certificate, model: confirmed } = await certifyApi(model, live, terminal)
  await writeJson(options.out, certificate)
  if (options.out !== undefined) await writeJson(source, confirmed)
  terminal.result(certificate, () => formatCertificate(certificate))
  return 0
}

/** Until it is interrupted. */
async function serve(
  source: string,
  { port, seed, reset }: WorldOptions,
  terminal: CommandTerminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const model = await readModel(source)
  const [{ createModelledWorld }, { serveWorld }] = await Promise.all([
    import('@stateeval/world-model'),
    import('../world/serve.ts'),
  ])
  const served = await serveWorld(createModelledWorld(model, seed), {
    port,
    ...(reset !== undefined && { reset: parseReset(reset) }),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`Cannot listen on port ${port} (${error.code}). Choose another with --port.`)
  })
  terminal.notice(`${model.title} is at ${served.url}${model.base ?? ''}. Ctrl-C ends it.`)
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve)
    process.once('SIGTERM', resolve)
  })
  await served.stop()
  return 0
}

async function push(file: string, _: WorldOptions, terminal: CommandTerminal): Promise<ExitCode> {
  return runRequests(async (): Promise<ExitCode> => {
    const world = await pushWorld(file)
    terminal.result(world, () =>
      [
        `${world.title}: ${world.digest}`,
        `Programs can call ${world.callable} of ${formatPlural(world.operations, 'operation')}. Next: npx stateeval build --scenario ${world.scenario}`,
      ].join('\n'),
    )
    return 0
  })
}

async function pull(digest: string, { out }: WorldOptions, terminal: CommandTerminal): Promise<ExitCode> {
  return runRequests(async (): Promise<ExitCode> => {
    const { model } = await connectEvaluation().getWorldModel({ params: { digest: parseDigest(digest) } })
    await writeJson(out, model)
    terminal.result(model, () =>
      out === undefined ? JSON.stringify(model, null, 2) : `${model.title} is in ${out}.`,
    )
    return 0
  })
}

const actions = { infer, probe, certify, serve, push, pull }

export const world = defineCommand<WorldOptions>({
  name: 'world <action> <source>',
  choices: Object.keys(actions),
  describe:
    'Make a model of an API: infer it from an OpenAPI document, probe a live API for what the document leaves out, certify that the API does what the model predicts. Serve a world that does what the model says. Push a model to the suite, as a scenario to build benchmarks with, and pull it',
  example: [
    'npx stateeval world infer shop.yaml --out shop.world.json',
    'npx stateeval world infer tools.json   # the answer of an MCP server to tools/list',
    'npx stateeval world probe shop.world.json --url https://sandbox.example.com --dry-run',
    'npx stateeval world probe shop.world.json --url http://127.0.0.1:8080 --allow loopback --reset "POST /reset" --out shop.world.json',
    'npx stateeval world certify shop.world.json --url http://127.0.0.1:8080 --allow loopback --out shop.certificate.json',
    'npx stateeval world certify shop.world.json --url https://sandbox.example.com --check shop.certificate.json   # exits with 1 if the API has drifted',
    'npx stateeval world serve shop.world.json --port 7500 --reset "POST /reset"   # a stand-in for the API',
    'npx stateeval world push shop.world.json   # prints the digest',
    'npx stateeval world pull sha256:DIGEST --out shop.world.json',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--out <file>', 'file for the model; certify: for the certificate')
      .option('--dropped', 'infer: list each operation that the model lacks, with the reason')
      .option('--url <url>', 'probe, certify: address of the live API; calls create and delete items there')
      .option(
        '--allow <networks>',
        'networks besides public ones that may be called, separated by commas: loopback, private, an address, a subnet or a host',
      )
      .option('--auth-env <name>', 'environment variable with the value of the Authorization header')
      .option(
        '--reset <request>',
        'request that empties the world, such as "POST /reset" (default: probe and certify delete what was made)',
      )
      .addOption(
        new Option('--budget <calls>', 'probe, certify: maximum number of calls')
          .argParser(parseInteger(1, 1_000_000))
          .default(5000),
      )
      .option('--prefix <text>', 'beginning of invented names', 'se-')
      .option('--dry-run', 'probe: list the requests that may be sent, and send none')
      .addOption(
        new Option('--sequences <n>', 'certify: number of sequences of 25 calls')
          .argParser(parseInteger(1, 1000))
          .default(40),
      )
      .addOption(
        new Option('--seed <seed>', 'seed of the calls; serve: of ids and tokens')
          .argParser(parseInteger(0, 1_000_000_000))
          .default(1),
      )
      .addOption(
        new Option('--port <port>', 'serve: port to listen on, 0 for a free one')
          .argParser(parseInteger(0, 65_535))
          .default(0),
      )
      .option(
        '--check <certificate>',
        'certify: repeat the calls of a certificate; exits with 1 on a new difference',
      ),
  run: async ({ options, args: [action = '', source = ''], terminal, signal }) => {
    const run = Object.hasOwn(actions, action) ? actions[action as keyof typeof actions] : undefined
    if (!run) throw new Failure(`Unknown action ${action}. Use ${Object.keys(actions).join(', ')}.`)
    return run(source, options, terminal, signal)
  },
})
