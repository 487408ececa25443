/**
 * What candidate code returns may have keys that a MongoDB-compatible server refuses (`$set`, `a.b`, an empty one, a NUL):
 * a value that holds one travels as an artifact, as bytes, so that no RESULT can keep its own outcome from being stored.
 */
import type { Artifacts } from '@stateeval/service-kit'

export const storable = (artifacts: Artifacts): Artifacts => ({
  ...artifacts,
  pack: async (value) => (hasAwkwardKey(value) ? { artifact: await artifacts.putJson(value) } : artifacts.pack(value)),
})

function hasAwkwardKey(root: unknown): boolean {
  for (const open = [root]; open.length > 0;) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      if (key === '' || key.startsWith('$') || key.includes('.') || key.includes('\u0000')) return true
      open.push(member)
    }
  }
  return false
}
