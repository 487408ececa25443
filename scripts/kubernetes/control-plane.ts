/**
 * A real API server on an etcd of its own, on free ports and in a temporary folder: what it accepts, a
 * cluster accepts.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@stateeval/testkit'
import { stringify } from 'yaml'
import { toolPath } from './tools.ts'

export interface ControlPlane {
  kubeconfig: string
  /** Runs kubectl; throws what it says where it fails. */
  kubectl(args: string[], input?: string): { stdout: string; stderr: string }
  stop(): Promise<void>
}

/** Runs a program to its end. @throws Error with what it said, where it fails */
export function runTool(file: string, args: string[], input = '', env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    input,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
    timeout: 300_000,
  })
  if (status !== 0) throw new Error(error?.message ?? `${stdout}${stderr}`)
  return { stdout, stderr }
}

/** Starts both and waits until the API server is ready. Both die with this process. */
export async function startControlPlane(): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'stateeval-cluster-'))
  const [client, peer, secure] = [await freePort(), await freePort(), await freePort()]
  const children: ChildProcess[] = []
  const output: string[] = []
  const start = (file: string, args: string[]) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output.push(text)
        if (output.length > 50) output.shift()
      })
    child.once('error', ({ message }) => output.push(message))
    return child
  }
  const killAll = () => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', killAll)

  const stop = async () => {
    // Told to stop together, the API server waits for an etcd that is gone.
    const ended = children.map((child) => new Promise((resolve) => child.once('close', resolve)))
    killAll()
    await Promise.all(ended)
    process.off('exit', killAll)
    rmSync(folder, { recursive: true })
  }

  const urls = (port: number) => `http://127.0.0.1:${port}`
  start(toolPath('etcd')!, [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--name', 'only'],
    ...['--listen-client-urls', urls(client), '--advertise-client-urls', urls(client)],
    ...['--listen-peer-urls', urls(peer), '--initial-advertise-peer-urls', urls(peer)],
    ...['--initial-cluster', `only=${urls(peer)}`],
  ])
  const key = join(folder, 'service-accounts.pem')
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  writeFileSync(key, keys.privateKey, { mode: 0o600 })
  const token = randomUUID()
  const tokens = join(folder, 'tokens.csv')
  writeFileSync(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 })
  mkdirSync(join(folder, 'certificates'))
  const server = start(toolPath('kube-apiserver')!, [
    `--etcd-servers=${urls(client)}`,
    ...['--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', `--secure-port=${secure}`],
    `--cert-dir=${join(folder, 'certificates')}`,
    ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
    ...['--service-account-issuer=https://kubernetes.local', `--token-auth-file=${tokens}`],
    ...['--authorization-mode=RBAC', '--service-cluster-ip-range=127.200.0.0/24'],
    // Nothing here makes the accounts that pods would get; all other plugins are a cluster's, Pod Security
    // among them.
    '--disable-admission-plugins=ServiceAccount',
  ])
  const kubeconfig = join(folder, 'kubeconfig')
  const named = [{ name: 'it', context: { cluster: 'it', user: 'it' } }]
  const cluster = { server: `https://127.0.0.1:${secure}`, 'insecure-skip-tls-verify': true }
  const config = { apiVersion: 'v1', kind: 'Config', 'current-context': 'it', contexts: named }
  const users = [{ name: 'it', user: { token } }]
  writeFileSync(kubeconfig, stringify({ ...config, clusters: [{ name: 'it', cluster }], users }), {
    mode: 0o600,
  })

  const kubectl = (args: string[], input?: string) =>
    runTool(toolPath('kubectl')!, ['--kubeconfig', kubeconfig, ...args], input, { HOME: folder })
  const isReady = () => {
    if (server.exitCode !== null) throw new Error(`the API server ended: ${output.join('').slice(-2000)}`)
    try {
      return kubectl(['get', '--raw', '/readyz']).stdout === 'ok'
    } catch {
      return false
    }
  }
  try {
    await until(isReady, { withinMs: 180_000, everyMs: 500 })
  } catch (error) {
    await stop()
    throw error
  }
  return { kubeconfig, kubectl, stop }
}
