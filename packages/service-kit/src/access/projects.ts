/**
 * Projects: tenants of an installation. A project is one document; its data are in separate collections.
 */
import { defaultProject } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import { waitForInsert, type MongoStore } from '../mongo.ts'

export interface StoredProject {
  _id: string
  name: string
  createdAt: Date
}
export interface ProjectStore {
  /** False where there is one of this id, which stays as it is, or there was one. */
  create(project: StoredProject): Promise<boolean>
  /** null where there is none, or its deletion has begun. */
  find(id: string): Promise<StoredProject | null>
  /** In the order of ids, after the cursor; without those whose deletion has begun. */
  page(cursor: string, limit: number): Promise<StoredProject[]>
  /** Tells whether a project accepted callers within the last second. */
  isOpen(id: string): Promise<boolean>
  /** Ids of all that may have work left: the default one and those that were made and not removed. */
  all(): Promise<string[]>
  /**
   * From now on nobody of it is let in. Its documents are still there; whoever removes them calls `remove` at
   * the end.
   */
  close(id: string, at: Date): Promise<void>
  /** Ids whose deletion has begun and not ended. */
  closed(): Promise<string[]>
  /** Ids whose deletion has begun, ended or not, and when it began. */
  everClosed(): Promise<{ id: string; at: Date }[]>
  /**
   * Forgets a closed project, whose documents are gone. Its id stays taken, so that nobody inherits what
   * names it elsewhere.
   */
  remove(id: string): Promise<void>
}

/** The default project is not stored: it is there before anything is. */
const createBuiltInProject = (id: string): StoredProject | null =>
  id === defaultProject ? { _id: id, name: 'Default', createdAt: new Date(0) } : null

/** How long a process caches a project, in milliseconds. */
export const believedMs = 1000

export function openProjectStore(mongo: Pick<MongoStore, 'ofInstallation'>): ProjectStore {
  const projects = mongo.ofInstallation<StoredProject>('access.projects')
  // A mark beside it: an insert counts on every server, also where somebody else writes at the same time.
  const closings = mongo.ofInstallation<{ _id: string; at: Date }>('access.project-closings')
  const cache = new LRUCache<string, Promise<StoredProject | null>>({ max: 1000, ttl: believedMs })
  const find = async (id: string) => {
    if (id === defaultProject) return createBuiltInProject(id)
    const project = await projects.findOne({ _id: id })
    return project && ((await closings.findOne({ _id: id })) ? null : project)
  }
  const closedIds = async () => (await closings.find().toArray()).map(({ _id }) => _id)
  return {
    find,
    async create(project) {
      if (project._id === defaultProject || (await closings.findOne({ _id: project._id }))) return false
      cache.delete(project._id)
      return waitForInsert(projects.insertOne(project))
    },
    async page(cursor, limit) {
      const closed = new Set(await closedIds())
      const records = await projects
        .find({ _id: { $gt: cursor } })
        .sort({ _id: 1 })
        .limit(limit + closed.size)
        .toArray()
      const first = createBuiltInProject(defaultProject)
      const all = first && first._id > cursor ? [...records, first] : records
      return all
        .filter(({ _id }) => !closed.has(_id))
        .sort((a, b) => (a._id < b._id ? -1 : 1))
        .slice(0, limit)
    },
    async isOpen(id) {
      let project = cache.get(id)
      if (!project) {
        cache.set(id, (project = find(id)))
        project.catch(() => cache.delete(id))
      }
      return (await project) !== null
    },
    async all() {
      const records = await projects.find({}, { projection: { _id: 1 } }).toArray()
      return [defaultProject, ...records.map(({ _id }) => _id)]
    },
    async close(id, at) {
      await waitForInsert(closings.insertOne({ _id: id, at }))
      cache.delete(id)
    },
    async closed() {
      const left = new Set(
        (await projects.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id),
      )
      return (await closedIds()).filter((id) => left.has(id))
    },
    everClosed: async () => (await closings.find().toArray()).map(({ _id, at }) => ({ id: _id, at })),
    async remove(id) {
      await projects.deleteOne({ _id: id })
    },
  }
}
