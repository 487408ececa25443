/**
 * The oldest versions of the servers that the suite works with (docs/kubernetes.md). All tests of the queue
 * pass with NATS 2.10.0; 2.8 returns dead letters of other kinds and knows no limit of messages per subject.
 */
const oldestVersions = { MongoDB: '7.0', NATS: '2.10' } as const

export type ServerName = keyof typeof oldestVersions

/** Major and minor; null where a version is written otherwise. */
const readVersion = (text: string) => /^v?(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? null

/** Finds the fault of a server's version; null if it is new enough, or can't be read. */
export function findOldVersion(server: ServerName, version: string): string | null {
  const oldest = oldestVersions[server]
  const [found, wanted] = [readVersion(version), readVersion(oldest)]
  if (!found || !wanted) return null
  const [major, minor] = [found[0]! - wanted[0]!, found[1]! - wanted[1]!]
  if (major > 0 || (major === 0 && minor >= 0)) return null
  return `${server} ${version} is older than ${oldest}, the oldest version that the suite works with: update it`
}
