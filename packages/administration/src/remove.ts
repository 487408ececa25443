/**
 * Removes projects whose deletion has begun, with all their data. Progress is not stored: each sweep looks
 * at the remains, so removal continues after a crash and includes late writes of jobs in flight.
 */
import { runInProject, type ServicePlatform } from '@stateeval/service-kit'

type RemovalParts = Pick<ServicePlatform, 'access' | 'mongo' | 'bus' | 'log' | 'quota' | 'now'>

/** Jobs in flight have ended by then: what is left of a project later are collections alone. */
const lateForMs = 24 * 3_600_000

/** Names of all collections by project; see `qualifyName`. */
async function groupCollections({ mongo }: Pick<RemovalParts, 'mongo'>): Promise<Map<string, string[]>> {
  const all = await mongo.db.listCollections({}, { nameOnly: true }).toArray()
  return Map.groupBy(
    all.map(({ name }) => name),
    (name) => name.slice(0, Math.max(0, name.indexOf('@'))),
  )
}

export async function removeClosedProjects(context: RemovalParts, signal: AbortSignal): Promise<void> {
  const { access, mongo, bus, log, quota, now } = context
  const all = await access.projects.everClosed()
  if (all.length === 0) return
  const closed = new Set(await access.projects.closed())
  const names = await groupCollections(context)
  for (const { id: project, at } of all) {
    if (signal.aborted) return
    const left = names.get(project) ?? []
    if (!closed.has(project) && left.length === 0 && now().getTime() - at.getTime() > lateForMs) continue
    if (closed.has(project)) {
      await access.keys.removeOf(project)
      await runInProject(project, () => removeLetters(context))
    }
    for (const name of left) await mongo.db.dropCollection(name)
    await runInProject(project, () => bus.forgetEvents())
    if (!closed.has(project)) continue
    await quota.rules.remove(project)
    await access.projects.remove(project)
    log.info({ project }, 'a project was removed')
  }
}

async function removeLetters({ bus }: RemovalParts): Promise<void> {
  for (let at = 1; ;) {
    const letter = await bus.dead.next(at)
    if (!letter) return
    await bus.dead.remove(letter.sequence)
    at = letter.sequence + 1
  }
}
