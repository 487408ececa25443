/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import {
  createArtifactCache,
  createThreads,
  type ServicePlatform,
  type ArtifactCache,
  type ThreadPool,
} from '@stateeval/service-kit'
import type { ScoringConfig } from './config.ts'
import { type KnownParts, createKnownParts } from './known.ts'

export interface ScoringContext extends KnownParts {
  config: ScoringConfig
  /** Artifacts of cases. */
  artifactCache: ArtifactCache
  /** Long items are scored there. */
  threads: ThreadPool
}

export function buildContext(platform: ServicePlatform, config: ScoringConfig): ScoringContext {
  const artifactCache = createArtifactCache(platform.artifacts)
  return {
    config,
    ...createKnownParts(artifactCache.get),
    artifactCache,
    threads: createThreads(new URL('./thread.ts', import.meta.url)),
  }
}
