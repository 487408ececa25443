/**
 * The current project. The service framework sets it around every request, job and sweep. Stores and the
 * bus read it here, so handlers never pass it and cannot forget it (docs/decisions/access.md).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { defaultProject } from '@stateeval/contracts'

const current = new AsyncLocalStorage<string>()
let isRequired = false

/** Runs work for a project, including background work that it starts. */
export const runInProject = <T>(project: string, work: () => T): T => current.run(project, work)

/** The project of this request, job or sweep. */
export function getCurrentProject(): string {
  const project = current.getStore()
  if (project !== undefined) return project
  if (isRequired) throw new Error('this code runs for no project: wrap it in inProject')
  return defaultProject
}

/** The current project if there is one: for logs, which must never throw. */
export const findCurrentProject = (): string | undefined => current.getStore()

/**
 * After this call, code outside `runInProject` throws in this process instead of working for the default
 * project. Services call it at their start; tests call stores from outside.
 */
export function requireProject(): void {
  isRequired = true
}

/**
 * A name that is unique across projects, for processes and queues. The default project's names stay
 * unchanged.
 */
export function qualifyName(name: string): string {
  const project = getCurrentProject()
  return project === defaultProject ? name : `${project}@${name}`
}

/** One value per project, made on first use. */
export function memoizeByProject<T>(make: () => T): () => T {
  const values = new Map<string, T>()
  return () => {
    const project = getCurrentProject()
    const hit = values.get(project)
    if (hit !== undefined) return hit
    const value = make()
    values.set(project, value)
    return value
  }
}

/** An object with a separate instance per project, for anything that keeps data in memory. */
export function separateByProject<T extends object>(make: () => T): T {
  const instance = memoizeByProject(() => ({ target: make(), methods: new Map<PropertyKey, unknown>() }))
  return new Proxy({} as T, {
    get(_, key) {
      const { target, methods } = instance()
      const value = Reflect.get(target, key) as unknown
      if (typeof value !== 'function') return value
      // Bound once: methods may have private members, and are called often.
      if (!methods.has(key)) methods.set(key, value.bind(target))
      return methods.get(key)
    },
  })
}

/** The values of `source`, each made for the project of this call, for any consumer. */
export function keepProject<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const project = getCurrentProject()
  const iterator = source[Symbol.asyncIterator]()
  const step = (work: () => Promise<IteratorResult<T>>) => runInProject(project, work)
  async function* values(): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const next = await step(() => iterator.next())
        if (next.done) return
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return values()
}
