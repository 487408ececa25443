/** The same graphs in PyTorch, which computes each operation at once (eager.py). */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

interface EagerJob {
  graph: string
  shape: readonly number[]
  rounds: number
}
interface Eager {
  version: string
  /** Of the fastest device that PyTorch has here, in milliseconds. */
  best(graph: string, shape: readonly number[]): number[] | undefined
}

/** null where the interpreter has no torch. */
export async function inPytorch(jobs: readonly EagerJob[]): Promise<Eager | null> {
  const python = process.env['STATEEVAL_PYTHON'] ?? '/usr/bin/python3'
  const child = spawn(python, ['-W', 'ignore', join(import.meta.dirname, 'eager.py')], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], OMP_NUM_THREADS: '1' },
  })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(jobs))
  try {
    const { version, timings } = JSON.parse(await text(child.stdout)) as {
      version: string
      timings: (EagerJob & { ms: number[] })[]
    }
    const best = (graph: string, shape: readonly number[]) =>
      timings
        .filter((one) => one.graph === graph && one.shape.join() === shape.join())
        .map(({ ms }) => ms)
        .sort((a, b) => Math.min(...a) - Math.min(...b))[0]
    return { version, best }
  } catch {
    return null
  }
}
