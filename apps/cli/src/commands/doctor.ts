import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Language, RuntimeInfo } from '@stateeval/contracts'
import { Option } from 'commander'
import { findCachedBinary } from '@stateeval/local-servers/build'
import { defineCommand, Failure } from '../command.ts'
import { egress } from '../local/egress.ts'
import { createChildEnvironment, withDotEnv } from '../local/environment.ts'
import { checkout, getHomeFolder, findPinnedNode } from '../local/home.ts'
import { examineFolders, examineInstallation, type HealthFinding, examineFreeDisk } from '../local/health.ts'
import { type MachineExamination, type ExaminedLevel, examineLocalMachine } from '../local/machine.ts'
import { isAlive } from '../local/process.ts'
import { fetchRuntime } from '../local/runtime.ts'
import { onPath } from '../local/servers.ts'
import { readStartedParts } from '../local/state.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

interface DoctorOptions {
  language?: Language
  deep?: boolean
  repair?: boolean
}

export const doctor = defineCommand<DoctorOptions>({
  name: 'doctor',
  describe:
    'Check Node, isolation, languages, tensors and servers on this machine; exits with 1 if something is missing',
  example:
    'npx stateeval doctor\nnpx stateeval doctor --language python   # only whether programs in Python can run here\nnpx stateeval doctor --deep              # also a message through every queue, writes, disk and clocks',
  configure: (command) =>
    command
      .addOption(
        new Option('--language <language>', 'check this language only').choices(['javascript', 'python']),
      )
      .option('--deep', 'also try the running suite: every queue, the store, free disk, clocks, egress')
      .option('--repair', 'with --deep, also repair what it can: queues that deliver nothing'),
  run: async ({ options: { language, deep, repair = false }, terminal }) => {
    if (repair && !deep) throw new Failure('--repair belongs to --deep: add it.')
    const env = withDotEnv(checkout, process.env)
    const home = getHomeFolder()
    const machine = await examineLocalMachine(createChildEnvironment(env, {}), { levels: !language })
    const findings = language
      ? [
          ...('problem' in machine ? [describeJails(machine)] : []),
          describeLanguageFinding(language, machine),
        ]
      : [...(await examineFolders(home, env)), ...(await collectFindings(machine, env))]
    if (deep) {
      findings.push(await examineFreeDisk(home), ...(await examineInstallation(home, repair)))
      findings.push(
        ...egress.map(({ from, to, settings, when = 'always' }): HealthFinding => ({
          what: `egress of ${from}`,
          status: 'ok',
          detail: `${to} (${settings.join(', ')}): ${when}`,
        })),
      )
    }
    const fine = findings.every(({ status }) => status !== 'missing')
    terminal.result({ ok: fine, findings, ...machine }, () => formatFindings(findings, machine, terminal))
    return fine ? 0 : 1
  },
})

async function collectFindings(
  machine: MachineExamination,
  env: NodeJS.ProcessEnv,
): Promise<HealthFinding[]> {
  const node = spawnSync(findPinnedNode(), ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  return [
    {
      what: 'Node',
      status: Number(/\d+/.exec(node)?.[0]) >= 24 ? 'ok' : 'missing',
      detail: node || 'npm ci installs it',
    },
    describeJails(machine),
    // Without jails, each level would only repeat why.
    ...('problem' in machine ? [] : (machine.levels ?? [])).map(describeLevel),
    describeLanguageFinding('javascript', machine),
    describeLanguageFinding('python', machine),
    ...(await examineTensors()),
    await examineServerSetting('MongoDB', 'MONGODB_URI', 'mongod', env),
    await examineServerSetting('NATS', 'NATS_URL', 'nats-server', env),
  ]
}

const describeJails = (machine: MachineExamination): HealthFinding =>
  'problem' in machine
    ? { what: 'jails', status: 'missing', detail: machine.problem }
    : { what: 'jails', status: 'ok', detail: formatLayers(machine.layers) }

function formatLayers(layers: RuntimeInfo['layers']): string {
  const missing = layers.filter(({ inForce }) => !inForce)
  const names = missing.map(({ layer, detail }) => `${layer} (${detail})`).join('; ')
  const count = `${layers.length - missing.length} of ${layers.length} layers`
  return missing.length === 0 ? count : `${count}; missing: ${names}`
}

/** Runs need one level of jails; gVisor is for installations that want more. */
const describeLevel = ({ level, works, detail }: ExaminedLevel): HealthFinding => ({
  what: `level ${level}`,
  status: works ? 'ok' : level === 'gvisor' ? 'optional' : 'missing',
  detail: joinLines(detail),
})

/** Providers of tensors, as the running service found them: trying a GPU takes its own process. */
async function examineTensors(): Promise<HealthFinding[]> {
  const parts = readStartedParts(getHomeFolder())
  const part = parts.find(({ name }) => name === 'execution')
  const runtime = await fetchRuntime(part && isAlive(part) ? part.urls?.http : undefined)
  if (runtime === null)
    return [
      { what: 'tensors', status: 'optional', detail: 'Run `npx stateeval up`, then doctor lists them.' },
    ]
  return runtime.tensorProviders.map(({ provider, available, reason, device }) => ({
    what: `tensors ${provider}`,
    status: available ? 'ok' : provider === 'cpu' ? 'missing' : 'optional',
    detail: joinLines([device, reason].filter(Boolean).join('; ') || 'available'),
  }))
}

const joinLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')

function describeLanguageFinding(language: Language, machine: MachineExamination): HealthFinding {
  // The reason stands beside jails.
  if ('problem' in machine) return { what: language, status: 'missing', detail: 'no jail can be started' }
  const { languages, versions, unavailable, interpreters } = machine
  if (!languages.includes(language))
    return { what: language, status: 'missing', detail: unavailable[language] ?? 'unavailable' }
  const path = interpreters.find(({ problem }) => problem === undefined)?.path
  const detail =
    language === 'python'
      ? `${versions['python']} (${path}), requests ${versions['requests']}`
      : `Node ${versions['node']}`
  return { what: language, status: 'ok', detail }
}

async function examineServerSetting(
  what: string,
  setting: string,
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<HealthFinding> {
  const path = onPath(program, env)
  if (env[setting]) return { what, status: 'ok', detail: `the one that ${setting} names` }
  if (path !== undefined) return { what, status: 'ok', detail: path }
  const embedded =
    env.STATEEVAL_LOCAL_BINARY ||
    (await findCachedBinary({ env, folder: join(checkout, 'packages/local-servers/server') }))
  if (onPath(embedded, { PATH: '/' }) !== undefined)
    return { what, status: 'ok', detail: `embedded (${embedded})` }
  const go = onPath('go', { PATH: `${env.PATH}:/usr/local/go/bin` })
  if (go !== undefined)
    return { what, status: 'ok', detail: `embedded, which the first up builds with ${go}` }
  return {
    what,
    status: 'missing',
    detail: `Install Go 1.21 or later, which builds the embedded server, or set ${setting}.`,
  }
}

function formatFindings(
  findings: readonly HealthFinding[],
  machine: MachineExamination,
  { colors }: CommandTerminal,
): string {
  const paint = { ok: colors.green, missing: colors.red, optional: colors.yellow }
  const parts = findings.map(({ what, status, detail }) => `${what}: ${paint[status](status)}. ${detail}`)
  const interpreters = 'problem' in machine ? [] : machine.interpreters
  if (interpreters.length > 0)
    parts.push(
      '',
      formatTable(
        ['python3', 'from', 'version', 'for programs'],
        interpreters.map(({ path, source, version, problem }) => [path, source, version, problem ?? 'used']),
      ),
    )
  return parts.join('\n')
}
