import { Option } from 'commander'
import type { CapturedObservation, CheckedRequest, ExecutionInput, Observation } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { escapeXml } from '../report/junit.ts'
import { connectEvaluation, connectExecution, runRequests } from '../suite/index.ts'
import { listKindsBySource, listKindsByFeature, findPresentation } from '../suite/kinds.ts'
import { readSpecification } from '../suite/specification-files.ts'
import { readText, unreadable } from '../text-file.ts'

interface CheckCommand {
  spec: string
  server?: string
  kind?: string
  format: 'text' | 'junit'
}
/** A file of code: its requests, or why there are none. */
interface CheckedFile {
  file: string
  requests: CheckedRequest[]
  fault?: string
}

/** How long a run is waited for, in seconds: it may have to wait for others. */
const patience = 60

async function observe(file: string, run: { world: string; input: ExecutionInput }): Promise<Observation> {
  const code = await readText(file).catch(unreadable(`${file} cannot be read`))
  const body = { language: 'javascript' as const, code, world: run.world, inputs: [run.input] }
  const { id, status, result } = await connectExecution().createExecution({ query: { wait: patience }, body })
  const onPage = async () =>
    (await connectExecution().listExecutionResults({ params: { id } })).items[0]?.observation
  const observation = result?.observations[0] ?? (status === 'succeeded' ? await onPage() : undefined)
  if (observation) return observation
  throw new Failure(
    `${file} did not end within ${patience} s because the service is busy. Check it again later.`,
  )
}

/** Why a run made no request that could be checked. */
function findRunFault({ ending }: Observation): string {
  switch (ending.status) {
    case 'threw':
    case 'refused':
      return `it made no request: ${ending.error.name}: ${ending.error.message}`
    case 'timeout':
      return 'it did not end'
    case 'infrastructure':
      return ending.reason
    default:
      return 'it made no request with axios or fetch; call the function that makes one'
  }
}

const isRight = ({ requests, fault }: CheckedFile) =>
  fault === undefined && requests.every(({ faults }) => faults.length === 0)

const formatCheckedFiles = (files: readonly CheckedFile[]) =>
  files
    .flatMap(({ file, requests, fault }) => [
      `${file}${fault === undefined ? '' : `: ${fault}`}`,
      ...requests.flatMap(({ name, faults }) => [
        `  ${faults.length === 0 ? 'ok' : 'wrong'}  ${name}`,
        ...faults.map((one) => `         ${one}`),
      ]),
    ])
    .join('\n')

/** One suite for each file, one test case for each request. */
function formatConformanceJunit(files: readonly CheckedFile[]): string {
  const suites = files.map(({ file, requests, fault }) => {
    const all = fault === undefined ? requests : [{ name: 'requests', faults: [fault] }, ...requests]
    const cases = all.map(({ name, faults }, n) => {
      const open = `    <testcase classname="${escapeXml(file)}" name="${escapeXml(`${n + 1} ${name}`)}"`
      return faults.length === 0
        ? `${open}/>`
        : `${open}><failure type="conformance" message="${escapeXml(faults[0]!)}">${escapeXml(faults.join('\n'))}</failure></testcase>`
    })
    const failures = all.filter(({ faults }) => faults.length > 0).length
    const suite = [
      `  <testsuite name="${escapeXml(file)}" tests="${all.length}" failures="${failures}" errors="0" skipped="0">`,
      ...cases,
      '  </testsuite>',
    ]
    return { tests: all.length, failures, suite }
  })
  const sum = (of: 'tests' | 'failures') => suites.reduce((total, one) => total + one[of], 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${sum('tests')}" failures="${sum('failures')}" errors="0">`,
    ...suites.flatMap(({ suite }) => suite),
    '</testsuites>',
    '',
  ].join('\n')
}

export const check = defineCommand<CheckCommand>({
  name: 'check <files...>',
  describe: 'Check the requests of programs (axios, fetch) against an OpenAPI specification; nothing is sent',
  example:
    'npx stateeval check client.js --spec shop.yaml\nnpx stateeval check src/*.js --spec shop/ --format junit > conformance.xml',
  configure: (command) =>
    command
      .requiredOption(
        '--spec <file>',
        'the specification, or the folder or archive (.zip, .tar.gz) of one with several files',
      )
      .option('--server <url>', 'the server for requests (default: the specification’s first)')
      .option(
        '--kind <name>',
        `kind of benchmark that checks: ${listKindsByFeature('conformance').join(', ')}`,
      )
      .addOption(
        new Option('--format <format>', 'format of the result').choices(['text', 'junit']).default('text'),
      ),
  run: async ({
    options: { spec, server, kind = listKindsBySource('specification')[0], format },
    args,
    terminal,
  }) =>
    runRequests(async (): Promise<ExitCode> => {
      const run = kind === undefined ? undefined : findPresentation(kind)?.conformance
      if (kind === undefined || !run)
        throw new Failure(
          `--kind ${kind ?? ''} checks no programs; available: ${listKindsByFeature('conformance').join(', ')}`,
        )
      const { text: specification } = await readSpecification(spec)
      const observations: Observation[] = []
      for (const file of args) {
        terminal.step(`Running ${file}`)
        observations.push(await observe(file, run))
      }
      // A world that captures requests has no other state.
      const body = {
        kind,
        specification,
        observations: observations as CapturedObservation[],
        ...(server !== undefined && { server }),
      }
      const { programs } = await connectEvaluation().checkConformance({ body })
      const files = programs.map(({ requests }, n): CheckedFile => {
        const fault = requests.length === 0 ? findRunFault(observations[n]!) : undefined
        return { file: args[n]!, requests, ...(fault !== undefined && { fault }) }
      })
      terminal.result(files, () =>
        format === 'junit' ? formatConformanceJunit(files) : formatCheckedFiles(files),
      )
      return files.every(isRight) ? 0 : 1
    }),
})
