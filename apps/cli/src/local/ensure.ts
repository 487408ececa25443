/** Brings parts up: keeps running ones, starts missing ones, waits until all are ready. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimPort, type ClaimedPort } from '@stateeval/local-servers/ports'
import { Failure } from '../command.ts'
import { moment } from '../report/format.ts'
import type { PartPlan } from './part.ts'
import { isAlive, listens, startDetached, stop } from './process.ts'
import { type Part, type State, writeState } from './state.ts'

export interface EnsureContext {
  home: string
  state: State
  report: (progress: { step?: string; waiting?: string }) => void
  timeoutMs: number
  /** How long a process may take to end. */
  graceMs: number
  signal?: AbortSignal
}

/** Time that a service needs to return its work to the queue and to close. */
const closingSeconds = 10
/** How long processes with this environment may take to end: services wait for their work first. */
export function graceOf(env: NodeJS.ProcessEnv): number {
  const drainSeconds = Number(env.STATEEVAL_DRAIN_SECONDS || 0)
  const graceSeconds = Number(env.STATEEVAL_GRACE_SECONDS || 20)
  return 1000 * ((drainSeconds + graceSeconds || 0) + closingSeconds)
}

/** Makes sure that all these parts run and answer; writes the state file after each start. */
export async function ensure(plans: PartPlan[], options: EnsureContext): Promise<Part[]> {
  const context: Starting = { ...options, claims: [] }
  try {
    const parts: Part[] = []
    for (const plan of plans) parts.push(await start(plan, context))
    return await allReady(plans, parts, context)
  } finally {
    for (const claimed of context.claims) claimed.release()
  }
}

interface Starting extends EnsureContext {
  /** Ports of what is started; other suites of this machine leave them alone until it listens. */
  claims: ClaimedPort[]
}

async function start(
  plan: PartPlan,
  { home, state, report, graceMs, claims }: Starting,
  { avoid = new Set(), because }: { avoid?: ReadonlySet<number>; because?: string } = {},
): Promise<Part> {
  const before = state.parts.find((part) => part.name === plan.name)
  if (before && isAlive(before)) {
    const same = plan.machine === undefined || before.machine === plan.machine
    if (before.settings === plan.settings && same) return before
    const what = same ? 'its settings have' : 'the Python of this machine has'
    report({ step: `${plan.name}: ${what} changed, restarting` })
    await stop(before, graceMs)
  } else if (before && because !== undefined) report({ step: `${plan.name}: ${because}` })
  else if (before && before.ended === undefined)
    report({ step: `${plan.name}: ${await lastSeen(before)}; restarting` })

  const takenPorts = new Set([
    ...avoid,
    ...state.parts
      .filter((part) => part !== before && isAlive(part))
      .flatMap((part) => Object.values(part.ports)),
  ])
  const ports: Record<string, number> = {}
  for (const [use, wished] of Object.entries(plan.ports)) {
    const claimed = await claimPort([before?.ports[use] ?? wished, wished], takenPorts)
    claims.push(claimed)
    ports[use] = claimed.port
    takenPorts.add(claimed.port)
  }
  const log = join(home, 'logs', `${plan.name}.log`)
  const id = await startDetached({ ...plan.command(ports), log })
  const since = new Date().toISOString()
  const { name, version, settings, machine } = plan
  const part: Part = {
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

interface Waiting {
  part: Part
  /** The part's last answer. */
  says: string
  tries: number
}

async function allReady(plans: PartPlan[], parts: Part[], context: Starting): Promise<Part[]> {
  const started = performance.now()
  const waiting = new Map<PartPlan, Waiting>(
    plans.map((plan, index) => [plan, { part: parts[index] as Part, says: 'nothing yet', tries: 1 }]),
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
    for (const [plan, entry] of waiting) if (!isAlive(entry.part)) await revive(plan, entry, context)
    const seconds = Math.round((performance.now() - started) / 1000)
    if (waiting.size === 0)
      return plans.map((plan) => context.state.parts.find((part) => part.name === plan.name) as Part)
    context.report({
      waiting: `waiting for ${[...waiting.keys()].map((plan) => plan.name).join(', ')} (${seconds} s)`,
    })
    if (context.signal?.aborted)
      throw new Failure("Interrupted. Started processes keep running; 'npx stateeval down' stops them.")
    if (performance.now() - started > context.timeoutMs) {
      const [plan, { part, says }] = [...waiting][0] as [PartPlan, Waiting]
      throw await failure(part, `${plan.name} is not ready after ${seconds} s. It reports: ${says}`)
    }
    await sleep(100)
  }
}

/** Another suite may have been faster at a port: then ours is about to end with that error. */
const isOurs = ({ pid, ports }: Part) => Object.values(ports).every((port) => listens(pid, port) !== false)

/**
 * A part that has ended while it was waited for: when somebody was faster at its port, it gets another one.
 */
async function revive(plan: PartPlan, entry: Waiting, context: Starting): Promise<void> {
  const tail = await lastLines(entry.part.log)
  if (entry.tries >= 3 || !/EADDRINUSE|address already in use/i.test(tail))
    throw await failure(entry.part, `${plan.name} stopped right after its start`)
  entry.tries++
  const ports = Object.values(entry.part.ports)
  const because = `another process took port ${ports.join(', ')}; starting on another one`
  entry.part = await start(plan, context, { avoid: new Set(ports), because })
}

/** When a part that should run ended, as far as its log tells. */
async function lastSeen({ since, log }: Part): Promise<string> {
  const logFile = await stat(log).catch(() => null)
  const at = logFile && logFile.mtimeMs > Date.parse(since) ? logFile.mtime.toISOString() : since
  return `ended unexpectedly after ${moment(at)} UTC (running since ${moment(since)})`
}

async function failure(part: Part, what: string): Promise<Failure> {
  const tail = await lastLines(part.log)
  return new Failure(
    [
      `${what}. The end of its log (${part.log}):`,
      tail || '(empty)',
      "Fix that and run 'npx stateeval up' again; 'npx stateeval down' stops the others.",
    ].join('\n'),
  )
}

const lastLines = async (log: string): Promise<string> =>
  (await readFile(log, 'utf8').catch(() => ''))
    .trimEnd()
    .split('\n')
    .slice(-12)
    .map((line) => `  ${line.slice(0, 500)}`)
    .join('\n')
