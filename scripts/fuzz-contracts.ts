/**
 * Fuzzes every service by its contract with Schemathesis, phases examples, coverage, fuzzing and stateful, on a suite of
 * its own. Fails on an error of ours (5xx) and on an answer that the contract doesn't describe.
 *
 *   node scripts/fuzz-contracts.ts [service …] [--examples N] [--seed N]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serviceNames } from '@stateeval/contracts'
import { startSuite } from '@stateeval/testkit'
import { root } from './generated.ts'
import { pythonTools } from './python-tools.ts'

interface FuzzOptions {
  services?: readonly string[]
  /** Requests for each operation and phase. */
  examples?: number
  seed?: number
  /** Where the findings go. */
  print?: (text: string) => void
}

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

/** The services whose contract doesn't hold; a reason where nothing could be tried. */
async function fuzzContracts(options: FuzzOptions = {}): Promise<{ failed: string[] } | { skipped: string }> {
  const {
    services = serviceNames,
    examples = 100,
    seed = 1,
    print = (text) => process.stdout.write(text),
  } = options
  const tools = pythonTools('fuzz')
  if (!tools.ok) return { skipped: tools.reason }
  // Whatever is started by chance ends soon.
  const suite = await startSuite({
    env: { STATEEVAL_WINDOW: '2', STATEEVAL_QUEUE: '50' },
    logLevel: process.env['LOG_LEVEL'] ?? 'silent',
  })
  const folder = mkdtempSync(join(tmpdir(), 'stateeval-fuzz-'))
  const failed: string[] = []
  try {
    for (const service of services) {
      const status = await run(tools.bin('schemathesis'), folder, print, [
        'run',
        join(root, 'openapi/bundled', `${service}.yaml`),
        ...['--url', suite.urls[service]!],
        ...['--phases', 'examples,coverage,fuzzing,stateful'],
        ...['--max-examples', String(examples)],
        ...['--seed', String(seed)],
        ...['--checks', checks.join(',')],
        ...['--suppress-health-check', 'all'],
        ...['--request-timeout', '150'],
        '--continue-on-failure',
      ])
      if (status !== 0) failed.push(service)
    }
  } finally {
    rmSync(folder, { recursive: true })
    await suite.stop()
  }
  return { failed }
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
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { examples: { type: 'string' }, seed: { type: 'string' } },
  })
  const { examples, seed } = values
  const result = await fuzzContracts({
    ...(positionals.length > 0 && { services: positionals }),
    ...(examples !== undefined && { examples: Number(examples) }),
    ...(seed !== undefined && { seed: Number(seed) }),
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
