/** Brings parts up: keeps running ones, starts missing ones, waits until all are ready. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimFreePort, type ClaimedPort } from '@stateeval/local-servers/ports'
import { Failure } from '../command.ts'
import { formatMinute } from '../report/format.ts'
import type { PartPlan } from './part.ts'
import { isAlive, isListening, startDetached, stop } from './process.ts'
import { type StatePart, type InstallationFileState, writeState } from './state.ts'

export interface EnsureContext {
  home: string
  state: InstallationFileState
  report: (progress: { step?: string; waiting?: string }) => void
  timeoutMs: number
  /** How long a process may take to end. */
  graceMs: number
  signal?: AbortSignal
}

/** Time that a service needs to return its work to the queue and to close, in seconds. */
const closingSeconds = 10
/** How long processes with this environment may take to end: services wait for their work first. */
export function computeGrace(env: NodeJS.ProcessEnv): number {
  const drainSeconds = Number(env.STATEEVAL_DRAIN_SECONDS || 0)
  const graceSeconds = Number(env.STATEEVAL_GRACE_SECONDS || 20)
  return 1000 * ((drainSeconds + graceSeconds || 0) + closingSeconds)
}

/** Makes sure that all these parts run and answer; writes the state file after each start. */
export async function ensure(plans: PartPlan[], options: EnsureContext): Promise<StatePart[]> {
  const context: StartingContext = { ...options, claims: [] }
  try {
    const parts: StatePart[] = []
    for (const plan of plans) parts.push(await start(plan, context))
    return await waitUntilReady(plans, parts, context)
  } finally {
    for (const claimed of context.claims) claimed.release()
  }
}

interface StartingContext extends EnsureContext {
  /** Ports of what is started; other suites of this machine leave them alone until it listens. */
  claims: ClaimedPort[]
}

async function start(
  plan: PartPlan,
  { home, state, report, graceMs, claims }: StartingContext,
  { avoid = new Set(), because }: { avoid?: ReadonlySet<number>; because?: string } = {},
): Promise<StatePart> {
  const before = state.parts.find((part) => part.name === plan.name)
  if (before && isAlive(before)) {
    const same = plan.machine === undefined || before.machine === plan.machine
    if (before.settings === plan.settings && same) return before
    const what = same ? 'its settings have' : 'the Python of this machine has'
    report({ step: `${plan.name}: ${what} changed, restarting` })
    await stop(before, graceMs)
  } else if (before && because !== undefined) report({ step: `${plan.name}: ${because}` })
  else if (before && before.ended === undefined)
    report({ step: `${plan.name}: ${await findLastSeen(before)}; restarting` })

  const takenPorts = new Set([
    ...avoid,
    ...state.parts
      .filter((part) => part !== before && isAlive(part))
      .flatMap((part) => Object.values(part.ports)),
  ])
  const ports: Record<string, number> = {}
  for (const [use, wished] of Object.entries(plan.ports)) {
    const claimed = await claimFreePort([before?.ports[use] ?? wished, wished], takenPorts)
    claims.push(claimed)
    ports[use] = claimed.port
    takenPorts.add(claimed.port)
  }
  const log = join(home, 'logs', `${plan.name}.log`)
  const id = await startDetached({ ...plan.command(ports), log })
  const since = new Date().toISOString()
  const { name, version, settings, machine } = plan
  const part: StatePart = {
    ...id,
    name,
    urls: plan.urls(ports),
    ports,
    version,
    since,
    log,
    settings,
    ...(machine && { machine }),
  }
  state.parts = [...state.parts.filter((other) => other.name !== plan.name), part]
  await writeState(home, state)
  return part
}

interface WaitingPart {
  part: StatePart
  /** The part's last answer. */
  says: string
  tries: number
}

async function waitUntilReady(
  plans: PartPlan[],
  parts: StatePart[],
  context: StartingContext,
): Promise<StatePart[]> {
  const started = performance.now()
  const waiting = new Map<PartPlan, WaitingPart>(
    plans.map((plan, index) => [plan, { part: parts[index] as StatePart, says: 'nothing yet', tries: 1 }]),
  )
  for (;;) {
    await Promise.all(
      [...waiting].map(async ([plan, entry]) => {
        const problem = await plan.notReady(entry.part.urls)
        if (problem === null && isAlive(entry.part) && isOurs(entry.part)) waiting.delete(plan)
        else entry.says = problem ?? 'another process answers at its port'
      }),
    )
    // One at a time: each takes a port.
    for (const [plan, entry] of waiting) if (!isAlive(entry.part)) await revivePart(plan, entry, context)
    const seconds = Math.round((performance.now() - started) / 1000)
    if (waiting.size === 0)
      return plans.map((plan) => context.state.parts.find((part) => part.name === plan.name) as StatePart)
    context.report({
      waiting: `waiting for ${[...waiting.keys()].map((plan) => plan.name).join(', ')} (${seconds} s)`,
    })
    if (context.signal?.aborted)
      throw new Failure("Interrupted. Started processes keep running; 'npx stateeval down' stops them.")
    if (performance.now() - started > context.timeoutMs) {
      const [plan, { part, says }] = [...waiting][0] as [PartPlan, WaitingPart]
      throw await createPartFailure(part, `${plan.name} is not ready after ${seconds} s. It reports: ${says}`)
    }
    await sleep(100)
  }
}

/** Another suite may have been faster at a port: then ours is about to end with that error. */
const isOurs = ({ pid, ports }: StatePart) =>
  Object.values(ports).every((port) => isListening(pid, port) !== false)

/**
 * A part that has ended while it was waited for: when somebody was faster at its port, it gets another one.
 */
async function revivePart(plan: PartPlan, entry: WaitingPart, context: StartingContext): Promise<void> {
  const tail = await readLastLines(entry.part.log)
  if (entry.tries >= 3 || !/EADDRINUSE|address already in use/i.test(tail))
    throw await createPartFailure(entry.part, `${plan.name} stopped right after its start`)
  entry.tries++
  const ports = Object.values(entry.part.ports)
  const because = `another process took port ${ports.join(', ')}; starting on another one`
  entry.part = await start(plan, context, { avoid: new Set(ports), because })
}

/** When a part that should run ended, as far as its log tells. */
async function findLastSeen({ since, log }: StatePart): Promise<string> {
  const logFile = await stat(log).catch(() => null)
  const at = logFile && logFile.mtimeMs > Date.parse(since) ? logFile.mtime.toISOString() : since
  return `ended unexpectedly after ${formatMinute(at)} UTC (running since ${formatMinute(since)})`
}

async function createPartFailure(part: StatePart, what: string): Promise<Failure> {
  const tail = await readLastLines(part.log)
  return new Failure(
    [
      `${what}. The end of its log (${part.log}):`,
      tail || '(empty)',
      "Fix that and run 'npx stateeval up' again; 'npx stateeval down' stops the others.",
    ].join('\n'),
  )
}

const readLastLines = async (log: string): Promise<string> =>
  (await readFile(log, 'utf8').catch(() => ''))
    .trimEnd()
    .split('\n')
    .slice(-12)
    .map((line) => `  ${line.slice(0, 500)}`)
    .join('\n')
