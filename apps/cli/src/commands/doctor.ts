import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Language } from '@stateeval/contracts'
import { Option } from 'commander'
import { cachedPath } from '@stateeval/local-servers/build'
import { defineCommand } from '../command.ts'
import { childEnvironment, withDotEnv } from '../local/environment.ts'
import { checkout, pinnedNode } from '../local/home.ts'
import { type Examination, examineMachine } from '../local/machine.ts'
import { onPath } from '../local/servers.ts'
import { table, type Terminal } from '../terminal.ts'

interface Finding {
  what: string
  status: 'ok' | 'missing'
  detail: string
}

export const doctor = defineCommand<{ language?: Language }>({
  name: 'doctor',
  describe:
    'Check what this machine has for the suite: Node, jails, languages, servers; exits 1 when something is missing',
  example:
    'npx stateeval doctor\nnpx stateeval doctor --language python   # only whether programs in Python can run here',
  configure: (command) =>
    command.addOption(
      new Option('--language <language>', 'check this language only').choices(['javascript', 'python']),
    ),
  run: async ({ options: { language }, terminal }) => {
    const env = withDotEnv(checkout, process.env)
    const machine = await examineMachine(childEnvironment(env, {}))
    const findings = language ? [ofLanguage(language, machine)] : await all(machine, env)
    const fine = findings.every(({ status }) => status === 'ok')
    terminal.result({ ok: fine, findings, ...machine }, () => findingsTable(findings, machine, terminal))
    return fine ? 0 : 1
  },
})

async function all(machine: Examination, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const node = spawnSync(pinnedNode(), ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  return [
    {
      what: 'Node',
      status: Number(/\d+/.exec(node)?.[0]) >= 24 ? 'ok' : 'missing',
      detail: node || 'npm ci installs it',
    },
    'problem' in machine
      ? { what: 'jails', status: 'missing', detail: machine.problem }
      : {
          what: 'jails',
          status: 'ok',
          detail: `${machine.layers.filter(({ inForce }) => inForce).length} of ${machine.layers.length} layers`,
        },
    ofLanguage('javascript', machine),
    ofLanguage('python', machine),
    await server('MongoDB', 'MONGODB_URI', 'mongod', env),
    await server('NATS', 'NATS_URL', 'nats-server', env),
  ]
}

function ofLanguage(language: Language, machine: Examination): Finding {
  if ('problem' in machine) return { what: language, status: 'missing', detail: machine.problem }
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

async function server(
  what: string,
  setting: string,
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<Finding> {
  const path = onPath(program, env)
  if (env[setting]) return { what, status: 'ok', detail: `the one that ${setting} names` }
  if (path !== undefined) return { what, status: 'ok', detail: path }
  const embedded =
    env.STATEEVAL_LOCAL_BINARY ||
    (await cachedPath({ env, folder: join(checkout, 'packages/local-servers/server') }))
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

function findingsTable(findings: readonly Finding[], machine: Examination, { colors }: Terminal): string {
  const paint = { ok: colors.green, missing: colors.red }
  const parts = findings.map(({ what, status, detail }) => `${what}: ${paint[status](status)}. ${detail}`)
  const interpreters = 'problem' in machine ? [] : machine.interpreters
  if (interpreters.length > 0)
    parts.push(
      '',
      table(
        ['python3', 'from', 'version', 'for programs'],
        interpreters.map(({ path, source, version, problem }) => [path, source, version, problem ?? 'used']),
      ),
    )
  return parts.join('\n')
}
