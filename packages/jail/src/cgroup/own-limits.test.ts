/** Files as on machines and in containers, and those of this machine. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { readOwnLimits } from './own-limits.ts'
import { findOwnLocations } from './locations.ts'

const roots: string[] = []
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true })))
function tree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'stateeval-cgroup-'))
  roots.push(root)
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${contents}\n`)
  }
  return root
}
const GiB = 1024 ** 3
const machine = { cpus: 16, memoryBytes: 64 * GiB }
const v1Mount = (id: number, controllers: string, root = '/') =>
  `${id} 30 0:${id} ${root} /sys/fs/cgroup/${controllers} rw,nosuid,nodev,noexec,relatime shared:${id} - cgroup cgroup rw,${controllers}`
const v2Mount = (root = '/') =>
  `29 23 0:26 ${root} /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate,memory_recursiveprot`
const docker = '/docker/4f3a2c'

const examples: Record<string, { files: Record<string, string>; cpus: number; memory: number }> = {
  'a container of version 2, one and a half cores': {
    files: {
      'proc/self/mountinfo': `22 1 0:21 / /proc rw - proc proc rw\n${v2Mount()}`,
      'proc/self/cgroup': '0::/',
      'sys/fs/cgroup/cgroup.controllers': 'cpuset cpu io memory hugetlb pids rdma misc',
      'sys/fs/cgroup/cpu.max': '150000 100000',
      'sys/fs/cgroup/memory.max': String(2 * GiB),
    },
    cpus: 1.5,
    memory: 2 * GiB,
  },
  'a service of systemd in version 2: its slice allows less than itself': {
    files: {
      'proc/self/mountinfo': v2Mount(),
      'proc/self/cgroup': '0::/system.slice/stateeval.service',
      'sys/fs/cgroup/cgroup.controllers': 'cpu memory pids',
      'sys/fs/cgroup/system.slice/cpu.max': '400000 100000',
      'sys/fs/cgroup/system.slice/memory.max': String(4 * GiB),
      'sys/fs/cgroup/system.slice/stateeval.service/cgroup.controllers': 'cpu memory pids',
      'sys/fs/cgroup/system.slice/stateeval.service/cpu.max': 'max 100000',
      'sys/fs/cgroup/system.slice/stateeval.service/memory.max': 'max',
    },
    cpus: 4,
    memory: 4 * GiB,
  },
  'a container of version 1 that sees the host’s paths': {
    files: {
      'proc/self/mountinfo': [
        v1Mount(31, 'cpu,cpuacct', docker),
        v1Mount(32, 'memory', docker),
        v1Mount(33, 'pids', docker),
      ].join('\n'),
      'proc/self/cgroup': `5:pids:${docker}\n4:memory:${docker}\n2:cpu,cpuacct:${docker}\n1:name=systemd:${docker}`,
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '50000',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '25000',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': String(GiB),
    },
    cpus: 2,
    memory: GiB,
  },
  'a machine of version 1, nothing limited': {
    files: {
      'proc/self/mountinfo': [v1Mount(31, 'cpu'), v1Mount(32, 'memory')].join('\n'),
      'proc/self/cgroup': '4:memory:/user\n1:cpu:/\n0::/',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712',
      'sys/fs/cgroup/memory/user/memory.limit_in_bytes': '9223372036854771712',
    },
    cpus: 16,
    memory: 64 * GiB,
  },
  'both versions: the controllers are in version 1': {
    files: {
      'proc/self/mountinfo': [
        v1Mount(32, 'memory'),
        '40 30 0:40 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
        v1Mount(31, 'cpu'),
      ].join('\n'),
      'proc/self/cgroup': '4:memory:/jobs\n1:cpu:/\n0::/',
      'sys/fs/cgroup/unified/cgroup.controllers': 'hugetlb',
      'sys/fs/cgroup/memory/jobs/memory.limit_in_bytes': String(3 * GiB),
    },
    cpus: 16,
    memory: 3 * GiB,
  },
  'no control groups': {
    files: { 'proc/self/mountinfo': '', 'proc/self/cgroup': '' },
    cpus: 16,
    memory: 64 * GiB,
  },
  'a limit above what the machine has': {
    files: {
      'proc/self/mountinfo': v2Mount(),
      'proc/self/cgroup': '0::/',
      'sys/fs/cgroup/cgroup.controllers': 'cpu memory',
      'sys/fs/cgroup/cpu.max': '6400000 100000',
      'sys/fs/cgroup/memory.max': String(640 * GiB),
    },
    cpus: 16,
    memory: 64 * GiB,
  },
}

test('processes are bounded by the least limit of the groups that can be seen', () => {
  const files = {
    'proc/self/mountinfo': v2Mount(),
    'proc/self/cgroup': '0::/a/b',
    'sys/fs/cgroup/a/b/cgroup.controllers': 'cpu memory pids',
    'sys/fs/cgroup/a/b/pids.max': 'max',
  }
  expect(readOwnLimits(tree(files), machine).pids).toBe(Infinity)
  expect(readOwnLimits(tree({ ...files, 'sys/fs/cgroup/a/pids.max': '512' }), machine).pids).toBe(512)
})

describe('what this process may use', () => {
  test.each(Object.entries(examples))('%s', (_, { files, cpus, memory }) => {
    const limits = readOwnLimits(tree(files), machine)
    expect(limits).toMatchObject({ cpus, memoryBytes: memory })
    expect(limits.from).toEqual({
      cpus: cpus < 16 ? 'cgroup' : 'machine',
      memory: memory < 64 * GiB ? 'cgroup' : 'machine',
    })
  })
  test('on this machine', () => {
    const { cpus, memoryBytes } = readOwnLimits()
    expect(cpus).toBeGreaterThan(0)
    expect(cpus).toBeLessThanOrEqual(availableParallelism())
    expect(memoryBytes).toBeGreaterThan(64 * 1024 * 1024)
    expect(memoryBytes).toBeLessThanOrEqual(totalmem())
  })
})

test('where a controller’s groups are: co-mounted ones share a folder, a path out of sight means the top', () => {
  const root = tree({
    'proc/self/mountinfo': [v1Mount(31, 'cpu,cpuacct'), v1Mount(32, 'memory', '/kubepods/pod1')].join('\n'),
    'proc/self/cgroup': '4:memory:/kubepods/pod2/x\n2:cpu,cpuacct:/a:b',
    'sys/fs/cgroup/cpu,cpuacct/a:b/tasks': '',
    'sys/fs/cgroup/memory/tasks': '',
  })
  const { memory, cpu, cpuacct, pids } = findOwnLocations(root)
  expect(cpu).toEqual({
    version: 1,
    folder: join(root, 'sys/fs/cgroup/cpu,cpuacct/a:b'),
    top: join(root, 'sys/fs/cgroup/cpu,cpuacct'),
  })
  expect(cpuacct).toEqual(cpu)
  expect(memory?.folder).toBe(join(root, 'sys/fs/cgroup/memory'))
  expect(pids).toBeUndefined()
})
