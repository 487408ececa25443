/**
 * Causes that keep a jail from making its namespaces: a setting of the kernel, or the profile of a container.
 */
import { readFileSync } from 'node:fs'

/** Settings with the value that refuses, and the one that allows. */
const settings = [
  { name: 'kernel.unprivileged_userns_clone', refuses: '0', allows: '1' },
  { name: 'user.max_user_namespaces', refuses: '0', allows: '15000' },
  { name: 'user.max_net_namespaces', refuses: '0', allows: '15000' },
  { name: 'kernel.apparmor_restrict_unprivileged_userns', refuses: '1', allows: '0' },
] as const
/** Numbers of namespaces that a machine may have at a time. */
const counts = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'].map(
  (kind) => `user.max_${kind}_namespaces`,
)

/** The text of a file in /proc; undefined if there is none. */
type ReadProc = (path: string) => string | undefined

const readProc: ReadProc = (path) => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8').trim()
  } catch {
    return undefined // This kernel has no such file.
  }
}

/**
 * Describes the remedy for a refused bubblewrap, as sentences; undefined if its message does not concern
 * namespaces.
 */
export function describeNamespaceRemedy(message: string, read: ReadProc = readProc): string | undefined {
  if (!/namespace|uid map|gid map|Operation not permitted|loopback/i.test(message)) return undefined
  const setting = (name: string) => read(`sys/${name.replaceAll('.', '/')}`)
  const refusing = settings.filter(({ name, refuses }) => setting(name) === refuses)
  if (refusing.length > 0) {
    const commands = refusing.map(({ name, allows }) => `sysctl -w ${name}=${allows}`).join(' && ')
    const names = refusing.map(({ name, refuses }) => `${name}=${refuses}`).join(' and ')
    return `The kernel refuses namespaces (${names}). As root on the machine: ${commands}`
  }
  if (/ENOSPC|No space left/.test(message)) {
    const limits = counts.map((name) => `${name}=${setting(name) ?? '?'}`).join(', ')
    return `All namespaces that the kernel allows are in use. As root on the machine, raise the lowest of ${limits} with sysctl -w`
  }
  const profiles = [
    ...describeAppArmorRemedy(read('self/attr/apparmor/current') ?? read('self/attr/current')),
    ...describeSeccompRemedy(read('self/status')),
  ]
  if (profiles.length > 0)
    return `The kernel allows namespaces, so a profile of the container denies them. ${profiles.join(' ')} See docs/security.md, "What must be granted".`
  return 'The kernel refuses namespaces, and its settings do not say why. See docs/security.md, "What must be granted".'
}

function describeAppArmorRemedy(label: string | undefined): string[] {
  const name = /^(?<name>[^\s(]+) \((enforce|kill)\)/.exec(label ?? '')?.groups!['name']
  return name === undefined || name === 'stateeval-execution'
    ? []
    : [
        `AppArmor’s profile is ${name}; use Unconfined, or load deploy/apparmor/stateeval-execution and name that (in the chart: services.execution.appArmor).`,
      ]
}

function describeSeccompRemedy(status: string | undefined): string[] {
  return /^Seccomp:\s*2$/m.test(status ?? '')
    ? ['A seccomp filter is in force; use deploy/seccomp/execution.json.']
    : []
}
