/**
 * The layers around a running process, as the kernel reports them to the host: the process cannot change
 * the answer.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import type { JailLayer, LayerName } from './layers.ts'

const namespaces = {
  user: 'user',
  mount: 'mnt',
  pid: 'pid',
  network: 'net',
  ipc: 'ipc',
  uts: 'uts',
  cgroup: 'cgroup',
} as const

/**
 * The layers around the process, which must be inside the jail. Throws if it has ended or may not be
 * inspected.
 */
export function observeLayers(pid: number): JailLayer[] {
  const status = parseStatusFields(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return [
    ...observeNamespaces(pid),
    ...observeStatus(status),
    observeLimits(pid),
    observeCgroup(pid),
    ...mountLayers(pid),
  ]
}

function observeNamespaces(pid: number): JailLayer[] {
  return Object.entries(namespaces).map(([name, link]) => {
    const [theirs, ours] = [pid, 'self'].map((whose) => readlinkSync(`/proc/${whose}/ns/${link}`))
    return {
      layer: `${name as keyof typeof namespaces} namespace`,
      inForce: theirs !== ours,
      detail: theirs !== ours ? theirs! : 'the host’s own',
    }
  })
}

function observeStatus(status: Map<string, string>): JailLayer[] {
  const uids = splitStatusWords(status.get('Uid'))
  const groups = splitStatusWords(status.get('Groups'))
  const capabilities = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].filter(
    (set) => BigInt(`0x${status.get(set) ?? '1'}`) !== 0n,
  )
  const [mode, filters] = [status.get('Seccomp'), status.get('Seccomp_filters')]
  return [
    {
      layer: 'unprivileged user',
      inForce: uids.length === 4 && uids.every((uid) => uid !== '0'),
      detail: `uid ${uids[1] ?? 'unknown'}${groups.length > 0 ? `, groups ${groups.join(' ')}` : ''}`,
    },
    createLayer('no new privileges', status.get('NoNewPrivs') === '1', 'set', 'not set'),
    createLayer(
      'no capabilities',
      capabilities.length === 0,
      'none, nor any to be had',
      `not empty: ${capabilities.join(', ')}`,
    ),
    createLayer(
      'seccomp',
      mode === '2',
      `${filters ?? 'at least 1'} filter`,
      'system calls are not filtered',
    ),
  ]
}

/** Observes the limits that rlimits.ts sets. */
function observeLimits(pid: number): JailLayer {
  const limits = new Map(
    readFileSync(`/proc/${pid}/limits`, 'utf8')
      .split('\n')
      .map((line) => [line.slice(0, 26).trim(), line.slice(26).trim().split(/\s+/)[1]!] as const),
  )
  const wantedLimits = {
    'Max core file size': 0,
    'Max open files': 4096,
    'Max file size': 2 ** 30,
    'Max locked memory': 65_536,
    'Max msgqueue size': 0,
  }
  const missing = Object.entries(wantedLimits).filter(
    ([name, max]) => !(Number(limits.get(name) ?? NaN) <= max),
  )
  return createLayer(
    'process limits',
    missing.length === 0,
    'files, descriptors, locked memory, queues, core files',
    `unlimited: ${missing.map(([name]) => name).join(', ')}`,
  )
}

function observeCgroup(pid: number): JailLayer {
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
  const group = /stateeval-\d+-\d+-[\w-]+/.exec(groups)?.[0]
  return createLayer(
    'control group',
    group !== undefined,
    group ?? '',
    'memory, processes and CPU time are watched by the host, not bounded by the kernel',
  )
}

/** A file system that may be written to is harmless where it is the kernel's, or in memory with a bound. */
function mountLayers(pid: number): JailLayer[] {
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n').filter(Boolean).map(parseMount)
  const root = mounts.findLast(({ point }) => point === '/')
  const writable = mounts.filter(
    ({ options, type, point }) =>
      options.includes('rw') && !['proc', 'devpts', 'mqueue'].includes(type) && !device.test(point),
  )
  const unbounded = writable.filter(
    ({ type, superOptions }) =>
      type !== 'tmpfs' || !superOptions.some((option) => option.startsWith('size=')),
  )
  const proc = mounts.findLast(({ point, type }) => point === '/proc' && type === 'proc')
  return [
    createLayer(
      'read-only root',
      root?.options.includes('ro') === true && unbounded.length === 0,
      `writable, in memory and bounded: ${writable.map(({ point }) => point).join(' ') || 'nothing'}`,
      root?.options.includes('ro')
        ? `writable without a bound: ${unbounded.map(({ point }) => point).join(' ')}`
        : 'the root can be written to',
    ),
    createLayer(
      'no processes in /proc',
      proc === undefined,
      'nothing of them is there',
      'they can be looked at',
    ),
  ]
}

const device = /^\/dev\/(null|zero|full|random|urandom|tty|console)$/

interface MountEntry {
  point: string
  options: string[]
  type: string
  superOptions: string[]
}
/** See proc_pid_mountinfo(5). */
function parseMount(line: string): MountEntry {
  const [before, after] = line.split(' - ')
  const [, , , , point, options] = before!.split(' ')
  const [type, , superOptions] = (after ?? '').split(' ')
  return {
    point: point!,
    options: options!.split(','),
    type: type!,
    superOptions: (superOptions ?? '').split(','),
  }
}

const createLayer = (layer: LayerName, inForce: boolean, yes: string, no: string): JailLayer => ({
  layer,
  inForce,
  detail: inForce ? yes : no,
})
const splitStatusWords = (text: string | undefined) => (text ?? '').split(/\s+/).filter(Boolean)
const parseStatusFields = (status: string) =>
  new Map(
    status
      .split('\n')
      .map((line) => [line.split(':')[0]!, line.slice(line.indexOf(':') + 1).trim()] as const),
  )
