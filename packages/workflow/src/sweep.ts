/**
 * Resends what has not returned: lost messages, and steps that a kill interrupted. An item that has not
 * moved between two sweeps is reminded, less and less often, because long runs do not move either and
 * another replica may run it. After a start, all are reminded. A job that is sent twice is recognised by
 * its id. So partitions begin as well that are due because there is more room, or because the one before
 * them ended while there was less.
 */
import { endStage } from './ends.ts'
import type { StagedWorkflow } from './host.ts'
import { forgetOthers } from './memory.ts'
import { type EngineParts, formatPartitionKey, loadPositions, getStage, computeWidth } from './partitions.ts'
import { remindItem } from './steps.ts'

/**
 * A workflow that fails in this many consecutive sweeps, although all servers are available, has a
 * permanent fault.
 */
export const maxFailures = 30

const isPowerOfTwo = (n: number) => n > 0 && (n & (n - 1)) === 0

/** Sweeps one workflow; with `force`, items are reminded even if they may have just moved. */
export async function sweepWorkflow<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  workflow: W,
  { force }: { force: boolean },
): Promise<void> {
  const { id, stage } = workflow
  const { pending, sightings } = parts.memory
  const positions = await loadPositions(parts, workflow, { look: true })
  parts.host.noteProgress(
    workflow,
    positions.reduce((sum, { done }) => sum + done, 0),
  )
  let isReminded = false
  const unfinished = positions.flatMap(({ partition, waiting }) =>
    waiting === null ? [] : [{ partition, waiting }],
  )
  for (const { partition, waiting } of unfinished.slice(0, computeWidth(parts, getStage(workflow)))) {
    const key = formatPartitionKey(id, stage, partition)
    const need = pending.get(key)
    const rev = need?.index === waiting ? need.rev : 0
    const before = sightings.get(key)
    const unmoved = before?.index === waiting && before.rev === rev ? before.unmoved + 1 : 0
    sightings.set(key, { index: waiting, rev, unmoved })
    if (!force && !isPowerOfTwo(unmoved)) continue
    await remindItem(parts, { workflow: id, stage, index: waiting })
    isReminded ||= unmoved > 0
  }
  if (isReminded) await parts.host.checkQueues()
  // All items have ended, yet the stage has not: the last step was cut short.
  if (unfinished.length === 0) await endStage(parts, workflow, stage)
}

/**
 * Stops watching a workflow that is absent or has ended. One that is being created or resumed looks the same
 * for a moment, as it is watched first: so it takes two sweeps, and a last look.
 */
async function stopWatching<W extends StagedWorkflow, Need>(
  { host, memory }: EngineParts<W, Need>,
  id: string,
): Promise<void> {
  const { absent } = memory.sweep
  if (!absent.has(id)) return void absent.add(id)
  absent.delete(id)
  await host.workflows.unwatch(id)
  if (await host.workflows.current(id)) await host.workflows.watch(id)
}

/** Counts a failed sweep of a workflow, and ends it after too many, since waiting would never help. */
async function recordSweepFailure<W extends StagedWorkflow, Need>(
  { host, memory }: EngineParts<W, Need>,
  id: string,
  error: unknown,
): Promise<void> {
  const { failures } = memory.sweep
  const count = (failures.get(id) ?? 0) + (host.isAway(error) ? 0 : 1)
  failures.set(id, count)
  if (count < maxFailures) return
  const reason = error instanceof Error ? error.message : String(error)
  await host.workflows.fail(id, `cannot continue: ${reason}. The service’s log has the details.`)
  failures.delete(id)
}

/**
 * Sweeps all watched workflows. Rejects with the first failure after sweeping the others, so one never
 * blocks the rest.
 */
export async function sweepAll<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  signal: AbortSignal,
): Promise<void> {
  const { host, memory } = parts
  const errors: unknown[] = []
  const watched = await host.workflows.watched()
  forgetOthers(memory, new Set(watched))
  for (const id of watched) {
    if (signal.aborted) return
    try {
      const workflow = await host.workflows.current(id)
      if (!workflow) await stopWatching(parts, id)
      else {
        memory.sweep.absent.delete(id)
        const force = !memory.sweep.begun || memory.sweep.failures.has(id)
        await host.inTrace(workflow, () => sweepWorkflow(parts, workflow, { force }))
      }
      memory.sweep.failures.delete(id)
    } catch (error) {
      errors.push(error)
      await recordSweepFailure(parts, id, error).catch((worse: unknown) => errors.push(worse))
    }
  }
  memory.sweep.begun = true
  if (errors.length > 0) throw errors[0]
}
