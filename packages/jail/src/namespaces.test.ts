import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { describeNamespaceRemedy } from './namespaces.ts'

const refused = 'bwrap: No permissions to create new namespace'
const values: Readonly<Record<string, readonly [allows: string, refuses: string]>> = {
  'kernel.unprivileged_userns_clone': ['1', '0'],
  'user.max_user_namespaces': ['15000', '0'],
  'user.max_net_namespaces': ['15000', '0'],
  'kernel.apparmor_restrict_unprivileged_userns': ['0', '1'],
}
const names = Object.keys(values)
const nameOf = (path: string) => path.replace('sys/', '').replaceAll('/', '.')

test('each setting that refuses is named once with its command, and no other is', () => {
  fc.assert(
    fc.property(fc.subarray(names), fc.subarray(names), (refusing, absent) => {
      const says = describeNamespaceRemedy(refused, (path) =>
        absent.includes(nameOf(path))
          ? undefined
          : values[nameOf(path)]?.[Number(refusing.includes(nameOf(path)))],
      )!
      for (const name of names) {
        const isNamed = refusing.includes(name) && !absent.includes(name)
        expect(says.split(`sysctl -w ${name}=${values[name]![0]}`).length - 1).toBe(Number(isNamed))
      }
    }),
  )
})

test('what is no matter of namespaces gets no such remedy', () => {
  expect(
    describeNamespaceRemedy('node: cannot execute: No such file or directory', () => '0'),
  ).toBeUndefined()
})

test.each<[attributes: Record<string, string>, says: RegExp]>([
  [
    { 'self/attr/current': 'cri-containerd.apparmor.d (enforce)' },
    /profile is cri-containerd\.apparmor\.d; use Unconfined/,
  ],
  [
    { 'self/attr/apparmor/current': 'docker-default (enforce)', 'self/attr/current': 'x (enforce)' },
    /is docker-default;/,
  ],
  [
    { 'self/status': 'NoNewPrivs:\t1\nSeccomp:\t2\n' },
    /^The kernel allows .* use deploy\/seccomp\/execution\.json\./,
  ],
  [{ 'self/attr/current': 'unconfined', 'self/status': 'Seccomp:\t0' }, /settings do not say why/],
  [{ 'self/attr/current': 'stateeval-execution (enforce)' }, /settings do not say why/],
])('a container’s profile is named: %j', (attributes, says) => {
  expect(describeNamespaceRemedy(refused, (path) => attributes[path])).toMatch(says)
})

test('namespaces that are used up are told from those that are forbidden', () => {
  const exceeded =
    'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)'
  const read = (path: string) => (path === 'sys/user/max_pid_namespaces' ? '3' : undefined)
  expect(describeNamespaceRemedy(exceeded, read)).toMatch(/in use.*user\.max_pid_namespaces=3/)
})

/** The setting counts in a user namespace of its own, so the machine keeps its value. */
async function whereForbidden(program: string): Promise<string> {
  const holder = spawn('unshare', ['--user', 'sh', '-c', 'echo; read end'])
  try {
    await once(holder.stdout, 'data')
    for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${holder.pid}/${map}`, '0 0 65535')
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" --input-type=module -e "$1"'
    const enter = [`--user=/proc/${holder.pid}/ns/user`, '--setuid=0', '--setgid=0']
    const command = [...enter, 'sh', '-c', script, process.execPath, program]
    return spawnSync('nsenter', command, { encoding: 'utf8' }).stdout.trim()
  } finally {
    holder.stdin.end()
  }
}
const isRoot = process.getuid?.() === 0
const canForbid =
  isRoot && ['unshare', 'nsenter', 'bwrap'].every((tool) => spawnSync(tool, ['--version']).status === 0)
if (!canForbid) console.info('skipped: only root can forbid namespaces to a process of its own')
;(canForbid ? test : test.skip)('a machine that forbids user namespaces names its setting', async () => {
  const program = `import { runAlone } from '${import.meta.resolve('./alone.ts')}'
    import { describeNamespaceRemedy } from '${import.meta.resolve('./namespaces.ts')}'
    const { reason } = runAlone([], ["true"])
    console.log(describeNamespaceRemedy(reason) ?? reason)`
  expect(await whereForbidden(program)).toBe(
    'The kernel refuses namespaces (user.max_user_namespaces=0). As root on the machine: sysctl -w user.max_user_namespaces=15000',
  )
})
