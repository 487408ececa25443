/** The Sandbox that runs JavaScript in a jail per input, on this machine. */
import type { Observation } from '@stateeval/contracts'
import { probe, type Level } from './jail/probe.ts'
import { defaultLimits } from './limits.ts'
import { prepare, type Prepared } from './program/prepare.ts'
import { observation, runInput } from './run-input.ts'
import { fingerprint, prepareRuntime, type Runtime } from './runtime.ts'
import type { Sandbox, SandboxRun } from './sandbox.ts'

export interface ProcessSandbox extends Sandbox {
  /** Versions, level and platform: results of equal fingerprints compare. */
  fingerprint: string
  versions: Runtime['versions']
}

interface Options {
  level?: Level
  node?: string
  cache?: string
}

/** Prepares the runtime and probes what the machine allows. Rejects with what to install or allow where no jail is possible. */
export async function createProcessSandbox({ level = 'process-jail', node = process.execPath, cache }: Options): Promise<ProcessSandbox> {
  const runtime = prepareRuntime(node, cache)
  const variant = await probe(runtime, level, defaultLimits)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  async function inputs({ code, inputs, world, limits }: SandboxRun, signal: AbortSignal): Promise<Observation[]> {
    const observations: Observation[] = []
    // Inputs of a test case have the same names, so their code is prepared once.
    const known = new Map<string, Prepared>()
    for (const input of inputs) {
      signal.throwIfAborted()
      const names = [...Object.keys(input.variables), 'BASE_URL']
      const prepared = known.get(names.join()) ?? prepare(code, names)
      known.set(names.join(), prepared)
      observations.push(
        prepared.status === 'refused'
          ? observation({ status: 'refused', reason: prepared.reason, error: prepared.error }, variant)
          : await runInput({ runtime, variant, prepared, input, world, limits, signal }),
      )
    }
    return observations
  }

  return {
    level,
    languages: ['javascript'],
    fingerprint: fingerprint(runtime, level),
    versions: runtime.versions,
    async run(program, signal) {
      if (program.language !== 'javascript')
        return program.inputs.map(() =>
          observation({ status: 'infrastructure', reason: `this sandbox has no runtime for ${program.language}` }, variant),
        )
      const work = inputs(program, AbortSignal.any([signal, closing.signal]))
      running.add(work)
      return work.finally(() => running.delete(work))
    },
    async close() {
      closing.abort(new Error('the sandbox is closed'))
      await Promise.allSettled(running)
    },
  }
}
