/** EvalPlus's own `untrusted_check`, a fork per sample. */
import { join } from 'node:path'
import { askPeer } from '../peers/python.ts'
import type { Load } from './load.ts'

/** `cpuMs`: CPU time for each program, of all processes that run it. */
type EvalplusLoad = Load & { name: string; concurrency: number; cpuMs: number }

/** What it measured, or the reason why there is nothing. `times` is for each program and concurrency. */
export const evalplus = (programs: Record<string, string>, times: number, concurrency: readonly number[]) =>
  askPeer<{ version: string; parts: EvalplusLoad[] }>(
    'evalplus',
    ['evalplus==0.3.1', 'requests'],
    join(import.meta.dirname, 'untrusted_check.py'),
    { programs, times, concurrency },
  )
