/**
 * Fuzzes every service by its contract with Schemathesis, phases examples, coverage, fuzzing and stateful, on
 * suites of its own: with the admin key where keys are asked for, without one there, and where everybody may
 * enter. Fails on an error of ours (5xx), on an answer that the contract doesn't describe, and where a
 * request without a key, or with a wrong one, is served.
 *
 *   node scripts/fuzz-contracts.ts [service …] [--examples N] [--seed N] [--callers key,nobody,anybody]
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ServiceName, serviceNames } from '@stateeval/contracts'
import { startSuite } from '@stateeval/testkit'
import { endChildrenWithThis } from '@stateeval/testkit/end-with-owner'
import { root } from './generated.ts'
import { pythonTools } from './python-tools.ts'

interface FuzzOptions {
  services?: readonly ServiceName[]
  /** Requests for each operation and phase. */
  examples?: number
  seed?: number
  callers?: readonly Caller[]
  /** Prints the findings. */
  print?: (text: string) => void
}

/** With the key, without one though it is asked for, and where nobody is asked. */
const callers = ['key', 'nobody', 'anybody'] as const
type Caller = (typeof callers)[number]

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance',
  'missing_required_header',
  'use_after_free',
]

/** Runs by itself, and last: its random limits would refuse whatever is asked afterwards. */
const limiting = 'setProjectLimits'
const passesOf = (service: ServiceName): [ServiceName, ...string[]][] =>
  service === 'evaluation'
    ? [
        [service, '--exclude-operation-id', limiting],
        [service, '--include-operation-id', limiting],
      ]
    : [[service]]

/** The services whose contract doesn't hold, with whom; a reason where nothing could be tried. */
async function fuzzContracts(options: FuzzOptions = {}): Promise<{ failed: string[] } | { skipped: string }> {
  const tools = pythonTools('fuzz')
  if (!tools.ok) return { skipped: tools.reason }
  const failed: string[] = []
  for (const caller of options.callers ?? callers)
    failed.push(...(await fuzzAs(caller, tools.bin('schemathesis'), options)))
  return { failed }
}

async function fuzzAs(caller: Caller, schemathesis: string, options: FuzzOptions): Promise<string[]> {
  const { services = serviceNames, examples = 100, seed = 1 } = options
  const print = options.print ?? ((text) => process.stdout.write(text))
  const key = randomBytes(32).toString('hex')
  // Whatever is started by chance ends soon.
  const suite = await startSuite({
    env: {
      STATEEVAL_WINDOW: '2',
      STATEEVAL_QUEUE: '50',
      STATEEVAL_GENERATION_MAX_COUNT: '20',
      ...(caller !== 'anybody' && { STATEEVAL_ACCESS: 'required', STATEEVAL_ADMIN_KEY: key }),
    },
    logLevel: process.env['LOG_LEVEL'] ?? 'silent',
  })
  const folder = mkdtempSync(join(tmpdir(), 'stateeval-fuzz-'))
  const failed: string[] = []
  try {
    for (const [service, ...selection] of services.flatMap(passesOf)) {
      print(`\n== ${[service, ...selection].join(' ')}, called by ${caller}\n`)
      const status = await run(schemathesis, folder, print, [
        'run',
        join(root, 'openapi', `${service}.yaml`),
        ...['--url', suite.urls[service]!],
        ...selection,
        ...(caller === 'key' ? ['--header', `Authorization: Bearer ${key}`] : []),
        // Nobody gets far: what comes before the door is open is tried by the first two phases.
        ...['--phases', caller === 'nobody' ? 'examples,coverage' : 'examples,coverage,fuzzing,stateful'],
        ...['--max-examples', String(examples)],
        ...['--seed', String(seed)],
        ...['--checks', [...checks, ...(caller === 'key' ? ['ignored_auth'] : [])].join(',')],
        ...['--suppress-health-check', 'all'],
        ...['--request-timeout', '150'],
        '--continue-on-failure',
      ])
      if (status !== 0) failed.push(`${service} (${caller})`)
    }
  } finally {
    rmSync(folder, { recursive: true })
    await suite.stop()
  }
  return failed
}

function run(
  file: string,
  cwd: string,
  print: (text: string) => void,
  args: string[],
): Promise<number | null> {
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: 'fuzz_hooks',
    PYTHONPATH: join(root, 'scripts/fuzz'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print)
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
}

if (import.meta.main) {
  endChildrenWithThis()
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { examples: { type: 'string' }, seed: { type: 'string' }, callers: { type: 'string' } },
  })
  const { examples, seed } = values
  const callerNames = values.callers?.split(',')
  const result = await fuzzContracts({
    ...(positionals.length > 0 && { services: serviceNames.filter((name) => positionals.includes(name)) }),
    ...(examples !== undefined && { examples: Number(examples) }),
    ...(seed !== undefined && { seed: Number(seed) }),
    ...(callerNames && { callers: callers.filter((caller) => callerNames.includes(caller)) }),
  })
  if ('skipped' in result) {
    console.log(`skipped: Schemathesis is not installed and cannot be: ${result.skipped}`)
  } else {
    console.log(
      result.failed.length > 0
        ? `Contracts that do not hold: ${result.failed.join(', ')}`
        : 'Every contract holds.',
    )
    process.exitCode = result.failed.length > 0 ? 1 : 0
  }
}
