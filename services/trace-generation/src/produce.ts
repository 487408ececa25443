/** Runs a generation from its first program to its last, block by block. */
import { type GenerateResult, listWorldArtifacts, type Program, toSeedNumber } from '@stateeval/contracts'
import { selectOperations } from '@stateeval/generate'
import type { Scenario } from '@stateeval/program'
import { JobRefusal } from '@stateeval/service-kit'
import type { TraceContext } from './context.ts'
import { ProgramCounter } from './statistics.ts'
import { blockSize, type StoredGeneration } from './store.ts'
import { draw } from './thread/draw.ts'

/** Watchers see progress within this time; in milliseconds. */
const tellEveryMs = 500

/** `keeping`: whether the result also contains the programs; otherwise only the store has them. */
export async function produceGeneration(
  generation: StoredGeneration,
  scenario: Scenario,
  context: TraceContext,
  signal: AbortSignal,
  keeping: boolean,
): Promise<GenerateResult> {
  const { store, bus, now, artifacts } = context
  const { _id: id, options } = generation
  const programs: Program[] = []
  const flags: Record<string, string[]> = {}
  const counting = new ProgramCounter()
  let block: Program[] = []
  let savedAt = now().getTime()

  const tell = async () => {
    savedAt = now().getTime()
    await store.progress(id, counting.programs)
    await bus.publishEvent('generation', id, 'progress', {
      done: counting.programs,
      total: options.count,
      phase: 'generate',
    })
  }
  const keep = async () => {
    await store.saveBlock(id, Math.floor((counting.programs - 1) / blockSize), block)
    block = []
  }

  await tell()
  const [hash] = listWorldArtifacts(options.scenario)
  const model = hash === undefined ? null : await artifacts.get(hash)
  const end = await draw(
    { order: { ...options, seed: toSeedNumber(options.seed) }, ...(model && { model }) },
    signal,
    async ({ artifacts: files = {}, ...entry }) => {
      // Before any program that names them can be seen.
      await Promise.all(
        Object.values(files).map(async (file) => store.noteArtifact(id, await artifacts.put(file))),
      )
      counting.add(entry)
      if (entry.flags.length > 0) flags[entry.program.id] = entry.flags
      if (keeping) programs.push(entry.program)
      block.push(entry.program)
      if (block.length === blockSize) await keep()
      if (now().getTime() - savedAt > tellEveryMs) await tell()
    },
  )
  if (block.length > 0) await keep()
  const statistics = counting.statistics(end, selectOperations(scenario, options).length)
  const { status } = await store.end(id, {
    status: 'succeeded',
    done: counting.programs,
    statistics,
    finishedAt: now(),
  })
  if (status === 'cancelled') throw new JobRefusal('it was cancelled')
  await tell()
  return { programs, flags, statistics }
}
