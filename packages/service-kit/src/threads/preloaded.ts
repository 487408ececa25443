/**
 * Modules that this process and each of its threads load, such as one that adds a kind of benchmark: what a
 * thread reads, it reads as the process would.
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const key = 'stateeval/preloaded'

/** The addresses of modules that a thread loads before its own. */
export const listPreloadedModules = (): readonly string[] => (getEnvironmentData(key) ?? []) as string[]

/** Has each thread that starts from now on load a module first. */
export function preloadInThreads(module: string): void {
  setEnvironmentData(key, [...new Set([...listPreloadedModules(), module])])
}
