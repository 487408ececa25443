/**
 * Fails where a running container of a service is granted more than deploy/ says: by what Docker was told,
 * and by what the kernel shows of its first service process.
 *
 *   node deploy/test/check-container.ts SERVICE CONTAINER
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'

interface Inspected {
  Config: { User: string; Healthcheck?: { Test: string[] } }
  State: { Health?: { Status: string } }
  HostConfig: {
    Init: boolean
    ReadonlyRootfs: boolean
    Privileged: boolean
    CapAdd: string[] | null
    CapDrop: string[] | null
    SecurityOpt: string[] | null
    PidsLimit: number
    Memory: number
  }
}

const [service = '', container = ''] = process.argv.slice(2)
const docker = (...args: string[]) =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
/** What a command in the container prints, and whether it worked. */
function inside(command: string): { worked: boolean; text: string } {
  try {
    return { worked: true, text: docker('exec', container, 'sh', '-c', command) }
  } catch (error) {
    return { worked: false, text: String((error as { stderr?: string }).stderr) }
  }
}

const [{ Config, State, HostConfig }] = JSON.parse(docker('inspect', container)) as [Inspected]
assert.equal(Config.User, '1000:1000')
assert.equal(State.Health?.Status, 'healthy')
assert.equal(HostConfig.Init, true)
assert.equal(HostConfig.ReadonlyRootfs, true)
assert.equal(HostConfig.Privileged, false)
assert.deepEqual(HostConfig.CapDrop, ['ALL'])
assert.deepEqual(HostConfig.CapAdd ?? [], [])
assert.ok(HostConfig.PidsLimit > 0 && HostConfig.Memory > 0)
// In addition, only execution has a custom system call filter, and no AppArmor profile.
const kinds = (HostConfig.SecurityOpt ?? []).map((option) => option.split(/[:=]/, 1)[0]).sort()
const expected = service === 'execution' ? ['apparmor', 'seccomp'] : []
assert.deepEqual(kinds, [...expected, 'no-new-privileges'].sort())

// The first process is Docker's init; the service is its only child. `exec` would have different rights, so
// its status is read.
const { text } = inside(
  'cat /proc/1/task/1/children; for p in $(cat /proc/1/task/1/children); do cat /proc/$p/status; done',
)
const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1]
for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
  assert.equal(field(set), '0000000000000000', set)
assert.equal(field('NoNewPrivs'), '1')
assert.equal(field('Seccomp'), '2')
assert.equal(field('Uid'), '1000\t1000\t1000\t1000')
assert.equal(field('Gid'), '1000\t1000\t1000\t1000')
for (const path of ['/x', '/app/x', '/home/node/x', '/usr/local/bin/x', '/etc/x']) {
  const { worked, text: message } = inside(`touch ${path}`)
  assert.equal(worked, false, `${path} can be written`)
  assert.match(message, /Read-only file system/, path)
}
assert.equal(inside('touch /tmp/x && rm /tmp/x').worked, true)
// The image contains no secret of the build or the host.
assert.equal(inside('ls /app/.env /app/.git /run/secrets /var/run/docker.sock').text.includes('\n/'), false)
console.log(`${service}: uid 1000, no capabilities, read-only but for /tmp, healthy`)
