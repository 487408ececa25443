/** Makes a fault happen, mends it, and waits until everything has recovered. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRng } from '@stateeval/program'
import { patience, type ServerKind, type ServiceProcess, until } from '@stateeval/testkit'
import { listDescendants } from '../../packages/jail/src/process-tree.ts'
import type { Cluster, Replica } from './cluster.ts'
import type { Messages } from './messages.ts'
import type { Fault } from './plan.ts'

interface Injected {
  /** Whether there was anything to hit: a runner to kill, a disk to fill. */
  hit: boolean
  /** How often, where it is several at once. */
  count?: number
  /** Resolves with the milliseconds from the end of the fault until everything was ready again. */
  recovered: Promise<number>
}

const patient = { withinMs: 180_000, everyMs: 50 }

async function isReady({ process }: Replica): Promise<boolean> {
  const answer = await fetch(`${process.url}/health/ready`, {
    signal: AbortSignal.timeout(patience(3000)),
  }).catch(() => null)
  return answer?.ok === true
}

/** Starts a process that gets a tenth of the time at first. */
async function startSlowly(process: ServiceProcess, slowMs: number): Promise<void> {
  let isReady = false
  const started = process.start().finally(() => (isReady = true))
  for (const end = performance.now() + slowMs; !isReady && performance.now() < end;) {
    process.signal('SIGSTOP')
    await sleep(180)
    process.signal('SIGCONT')
    await Promise.race([sleep(20), started.catch(() => undefined)])
  }
  return started
}

/**
 * Delays every write to files of a process. Resolves to what ends this; null where this system traces none.
 */
async function slowWrites(pid: number, writeMs: number): Promise<(() => Promise<void>) | null> {
  const calls = 'pwrite64,fsync,fdatasync,ftruncate'
  const inject = `inject=${calls}:delay_enter=${writeMs * 1000}`
  const args = ['-f', '-p', String(pid), '-e', `trace=${calls}`, '-e', 'signal=none', '-e', inject]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  // It has told that it is attached, and tells of every call from then on.
  const attached = await Promise.race([
    once(strace.stderr, 'data').then(([text]) => String(text).includes('attached')),
    once(strace, 'close').then(() => false),
  ]).catch(() => false)
  strace.stderr.resume()
  if (!attached) return null
  return async () => {
    strace.kill('SIGINT')
    await once(strace, 'close')
  }
}

/** Faults of one cluster; replicas that are down by one fault are not awaited by another. */
export function injector(cluster: Cluster, messages: Messages) {
  const down = new Set<Replica>()
  const busyServers = new Set<ServerKind>()

  const recovery = async (replicas: readonly Replica[]): Promise<number> => {
    const from = performance.now()
    await until(async () => {
      const states = await Promise.all(replicas.map(async (one) => down.has(one) || (await isReady(one))))
      return states.every(Boolean)
    }, patient)
    return Math.round(performance.now() - from)
  }
  const away = async (replica: Replica, ms: number, hit: () => void, mend: () => Promise<void>) => {
    down.add(replica)
    hit()
    await sleep(ms)
    const from = performance.now()
    const mended = async () => {
      await mend()
      down.delete(replica)
      await recovery([replica])
      return Math.round(performance.now() - from)
    }
    return { hit: true, recovered: mended() }
  }
  const ofReplica = async (fault: Extract<Fault, { replica: number }>): Promise<Injected> => {
    const replica = cluster.replica(fault)
    const { process } = replica
    if (down.has(replica)) return { hit: false, recovered: Promise.resolve(0) }
    switch (fault.kind) {
      case 'service killed':
        return away(
          replica,
          fault.ms,
          () => void process.kill(),
          async () => {
            await process.kill()
            await process.start()
          },
        )
      case 'service restarted':
        return away(
          replica,
          0,
          () => undefined,
          async () => {
            await process.stop()
            await process.start()
          },
        )
      case 'start slow':
        return away(
          replica,
          0,
          () => void process.kill(),
          async () => {
            await process.kill()
            await startSlowly(process, fault.ms)
          },
        )
      case 'service paused':
        return away(
          replica,
          fault.ms,
          () => process.signal('SIGSTOP'),
          async () => process.signal('SIGCONT'),
        )
      case 'runner killed': {
        const runners = listDescendants(process.pid).slice(1)
        if (runners.length === 0) return { hit: false, recovered: Promise.resolve(0) }
        const victim = createRng(runners.join()).pick(runners)
        try {
          globalThis.process.kill(victim, 'SIGKILL')
        } catch {
          return { hit: false, recovered: Promise.resolve(0) } // It has just ended.
        }
        return { hit: true, recovered: recovery([replica]) }
      }
      case 'clock jump':
        await replica.setClock(replica.clockMs + fault.byMs)
        return { hit: true, recovered: recovery([replica]) }
      default: {
        const link = replica.links[fault.server]
        const weather = {
          'connection slow': { latencyMs: 'latencyMs' in fault ? fault.latencyMs : 0 },
          'connection thin': { bytesPerSecond: 'bytesPerSecond' in fault ? fault.bytesPerSecond : Infinity },
          'connection silent': { silent: true },
          'connection refused': { refusing: true },
          'connection cut': {},
        }[fault.kind]
        link.set(weather)
        if (fault.kind === 'connection cut' || fault.kind === 'connection refused') link.cut()
        await sleep(fault.ms)
        link.set()
        return { hit: true, recovered: recovery([replica]) }
      }
    }
  }
  const ofServer = async (
    fault: Extract<Fault, { kind: `server ${string}` | `disk ${string}` }>,
  ): Promise<Injected> => {
    const server = cluster.servers[fault.server]
    if (busyServers.has(fault.server)) return { hit: false, recovered: Promise.resolve(0) }
    busyServers.add(fault.server)
    const from = () => performance.now()
    const done = async (mend: () => Promise<void>) => {
      const began = from()
      await mend()
      busyServers.delete(fault.server)
      await recovery(cluster.replicas)
      return Math.round(from() - began)
    }
    switch (fault.kind) {
      case 'server killed':
        await server.end()
        await sleep(fault.ms)
        return { hit: true, recovered: done(() => server.start()) }
      case 'server paused':
        server.signal('SIGSTOP')
        await sleep(fault.ms)
        return { hit: true, recovered: done(async () => server.signal('SIGCONT')) }
      case 'disk full': {
        const disk = cluster.disks[fault.server]
        if (!disk) {
          busyServers.delete(fault.server)
          return { hit: false, recovered: Promise.resolve(0) }
        }
        await disk.fill()
        await sleep(fault.ms)
        return { hit: true, recovered: done(() => disk.free()) }
      }
      case 'disk slow': {
        const mend = await slowWrites(server.pid, fault.writeMs)
        if (!mend) {
          busyServers.delete(fault.server)
          return { hit: false, recovered: Promise.resolve(0) }
        }
        await sleep(fault.ms)
        return { hit: true, recovered: done(mend) }
      }
      default:
        throw new Error(`no such fault: ${JSON.stringify(fault)}`)
    }
  }
  return async (fault: Fault): Promise<Injected> => {
    if (fault.kind === 'messages repeated' || fault.kind === 'messages held back') {
      const { count: maxCount, draw, ms } = fault
      const count = await (fault.kind === 'messages repeated'
        ? messages.repeat(maxCount, draw, ms)
        : messages.hold(maxCount, draw, ms))
      return { hit: count > 0, count, recovered: Promise.resolve(0) }
    }
    return 'replica' in fault ? ofReplica(fault) : ofServer(fault)
  }
}
