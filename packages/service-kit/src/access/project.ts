/**
 * The project that code works for. The chassis sets it around every request, job and sweep; stores and the
 * bus read it here, so that no handler names it and none can forget it (docs/decisions/access.md).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { defaultProject } from '@stateeval/contracts'

const current = new AsyncLocalStorage<string>()
let isRequired = false

/** Runs the work for a project, also what it starts and doesn't wait for. */
export const inProject = <T>(project: string, work: () => T): T => current.run(project, work)

/** The project of this request, job or sweep. */
export function currentProject(): string {
  const project = current.getStore()
  if (project !== undefined) return project
  if (isRequired) throw new Error('this code runs for no project: wrap it in inProject')
  return defaultProject
}

/** The same, where there is one: for logs, which must never throw. */
export const projectIfAny = (): string | undefined => current.getStore()

/**
 * From now on in this process, code outside `inProject` is a bug that throws, rather than work for the
 * default project. Services call it when they start as processes; tests call stores from outside.
 */
export function requireProject(): void {
  isRequired = true
}

/**
 * A name that is unique over projects, for what processes and queues share. The default project's names stay
 * as they are.
 */
export function inProjectName(name: string): string {
  const project = currentProject()
  return project === defaultProject ? name : `${project}@${name}`
}

/** One value for each project, made when it is first asked for. */
export function byProject<T>(make: () => T): () => T {
  const values = new Map<string, T>()
  return () => {
    const project = currentProject()
    const hit = values.get(project)
    if (hit !== undefined) return hit
    const value = make()
    values.set(project, value)
    return value
  }
}

/** An object that is another one in each project: for whatever keeps things in memory. */
export function eachProjects<T extends object>(make: () => T): T {
  const instance = byProject(() => ({ target: make(), methods: new Map<PropertyKey, unknown>() }))
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

/** The values of `source`, each made for the project in which this was called, whoever asks for them. */
export function keepProject<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const project = currentProject()
  const iterator = source[Symbol.asyncIterator]()
  const step = (work: () => Promise<IteratorResult<T>>) => inProject(project, work)
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
