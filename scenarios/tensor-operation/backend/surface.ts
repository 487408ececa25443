/**
 * What stands in the jail for this world: in JavaScript a module of ours that records, in Python PyTorch
 * itself.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSurface } from '@stateeval/runtime-javascript'
import type { Surface } from '@stateeval/sandbox'

let instance: Surface | undefined
/** One for the process: what jails compile of it is kept by its identity. */
export const surface = (): Surface =>
  (instance ??= {
    javascript: { source: bundleSurface(join(import.meta.dirname, 'torch/index.ts')) },
    python: { source: readFileSync(join(import.meta.dirname, 'python-surface.py'), 'utf8') },
  })
