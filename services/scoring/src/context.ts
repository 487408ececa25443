/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import {
  createArtifactCache,
  createThreads,
  type Platform,
  type ArtifactCache,
  type Threads,
} from '@stateeval/service-kit'
import type { Config } from './config.ts'
import { type Known, knownWith } from './known.ts'

export interface Context extends Platform, Known {
  config: Config
  /** What cases need besides themselves. */
  artifactCache: ArtifactCache
  /** Long items are scored there. */
  threads: Threads
}

export function buildContext(platform: Platform, config: Config): Context {
  const artifactCache = createArtifactCache(platform.artifacts)
  return {
    ...platform,
    config,
    ...knownWith(artifactCache.get),
    artifactCache,
    threads: createThreads(new URL('./thread.ts', import.meta.url)),
  }
}
