/**
 * The surface of this world: in JavaScript a module of ours that records, in Python PyTorch
 * itself.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSurfaceBundle } from '@stateeval/runtime-javascript'
import type { ProgramSurface } from '@stateeval/sandbox'

let instance: ProgramSurface | undefined
/** Gets the one surface of this process: jails cache its compiled code by identity. */
export const getSurfaceOnce = (): ProgramSurface =>
  (instance ??= {
    javascript: { source: buildSurfaceBundle(join(import.meta.dirname, 'torch/index.ts')) },
    python: { source: readFileSync(join(import.meta.dirname, 'python-surface.py'), 'utf8') },
  })
