/**
 * Removes projects whose deletion has begun, with all their data. Progress is not stored: each sweep looks
 * at the remains, so removal continues after a crash and includes late writes of jobs in flight.
 */
import { inProject, type Platform } from '@stateeval/service-kit'

type Parts = Pick<Platform, 'access' | 'mongo' | 'bus' | 'log' | 'quota'>

/** Names of collections by the prefix of a project; see `inProjectName`. */
async function collectionsOf({ mongo }: Pick<Parts, 'mongo'>, project: string): Promise<string[]> {
  const all = await mongo.db.listCollections({}, { nameOnly: true }).toArray()
  return all.map(({ name }) => name).filter((name) => name.startsWith(`${project}@`))
}

export async function removeClosedProjects(context: Parts, signal: AbortSignal): Promise<void> {
  const { access, mongo, bus, log, quota } = context
  const closed = new Set(await access.projects.closed())
  for (const project of await access.projects.everClosed()) {
    if (signal.aborted) return
    if (closed.has(project)) {
      await access.keys.removeOf(project)
      await inProject(project, () => removeLetters(context))
    }
    for (const name of await collectionsOf(context, project)) await mongo.db.dropCollection(name)
    await inProject(project, () => bus.forgetEvents())
    if (!closed.has(project)) continue
    await quota.rules.remove(project)
    await access.projects.remove(project)
    log.info({ project }, 'a project was removed')
  }
}

async function removeLetters({ bus }: Parts): Promise<void> {
  for (let at = 1; ;) {
    const letter = await bus.dead.next(at)
    if (!letter) return
    await bus.dead.remove(letter.sequence)
    at = letter.sequence + 1
  }
}
