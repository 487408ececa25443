/** Which setting of the kernel keeps a jail from making its namespaces. */
import { readFileSync } from 'node:fs'

/** Settings with the value that refuses, and the one that allows. */
const settings = [
  { name: 'kernel.unprivileged_userns_clone', refuses: '0', allows: '1' },
  { name: 'user.max_user_namespaces', refuses: '0', allows: '15000' },
  { name: 'user.max_net_namespaces', refuses: '0', allows: '15000' },
  { name: 'kernel.apparmor_restrict_unprivileged_userns', refuses: '1', allows: '0' },
] as const

type ReadSetting = (name: string) => string | undefined

const readSetting: ReadSetting = (name) => {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim()
  } catch {
    return undefined // This kernel has no such setting.
  }
}

/**
 * What a bubblewrap that was refused needs, as a sentence; undefined if its message says nothing of
 * namespaces.
 */
export function namespaceRemedy(message: string, read: ReadSetting = readSetting): string | undefined {
  if (!/namespace|uid map|gid map|Operation not permitted|loopback/i.test(message)) return undefined
  const refusing = settings.filter(({ name, refuses }) => read(name) === refuses)
  if (refusing.length === 0)
    return 'The kernel refuses namespaces, and its settings do not say why: a container’s seccomp or AppArmor profile may. See docs/security.md, "What must be granted".'
  const commands = refusing.map(({ name, allows }) => `sysctl -w ${name}=${allows}`).join(' && ')
  const names = refusing.map(({ name, refuses }) => `${name}=${refuses}`).join(' and ')
  return `The kernel refuses namespaces (${names}). As root: ${commands}`
}
