/** Which faults happen, drawn from a seed: the same seed gives the same sequence. */
import type { ServiceName } from '@stateeval/contracts'
import { serviceNames } from '@stateeval/contracts'
import { createRng, type RandomSource } from '@stateeval/program'
import type { ServerKind } from '@stateeval/testkit'

export type Link = { service: ServiceName; replica: number; server: ServerKind }
type OfReplica = { service: ServiceName; replica: number }
type OfServer = { server: ServerKind }

/** `ms`: how long it lasts before it is mended. */
export type Fault = { ms: number } & (
  | ({ kind: 'service killed' | 'service paused' | 'service restarted' | 'start slow' } & OfReplica)
  | ({ kind: 'runner killed' } & OfReplica)
  | ({ kind: 'clock jump'; byMs: number } & OfReplica)
  | ({ kind: 'server killed' | 'server paused' | 'disk full' } & OfServer)
  | ({ kind: 'disk slow'; writeMs: number } & OfServer)
  | ({ kind: 'connection slow'; latencyMs: number } & Link)
  | ({ kind: 'connection thin'; bytesPerSecond: number } & Link)
  | ({ kind: 'connection silent' | 'connection refused' | 'connection cut' } & Link)
  | { kind: 'messages repeated'; count: number; draw: number }
  | { kind: 'messages held back'; count: number; draw: number }
)
export type FaultKind = Fault['kind']

interface Planned {
  fault: Fault
  /** Whether the next one waits until this one is over and everything has recovered. */
  alone: boolean
  /** Then, or else after it began, so many milliseconds pass before the next one. */
  gapMs: number
}

/** How often each is drawn, relative to the others. */
const weights: Record<FaultKind, number> = {
  'service killed': 8,
  'service paused': 4,
  'service restarted': 3,
  'start slow': 2,
  'runner killed': 6,
  'clock jump': 3,
  'server killed': 3,
  'server paused': 2,
  'disk full': 3,
  'disk slow': 2,
  'connection slow': 3,
  'connection thin': 2,
  'connection silent': 3,
  'connection refused': 2,
  'connection cut': 4,
  'messages repeated': 5,
  'messages held back': 4,
}
export const faultKinds = Object.keys(weights) as FaultKind[]
const servers: readonly ServerKind[] = ['mongodb', 'nats']

/** The first ones are one of each kind in random order, so that none is missing. */
export function planOf(seed: string | number, count: number, replicas: number): Planned[] {
  const rng = createRng(seed).fork('faults')
  const each = rng.shuffle(faultKinds)
  return Array.from({ length: count }, (_, n) => {
    const kind = each[n] ?? rng.weighted(faultKinds, (one) => weights[one])
    return { fault: draw(kind, rng, replicas), alone: rng.chance(0.5), gapMs: rng.int(100, 1000) }
  })
}

function draw(kind: FaultKind, rng: RandomSource, replicas: number): Fault {
  const ofReplica = () => ({ service: rng.pick(serviceNames), replica: rng.int(0, replicas - 1) })
  const link = () => ({ ...ofReplica(), server: rng.pick(servers) })
  switch (kind) {
    case 'service killed':
      return { kind, ...ofReplica(), ms: rng.int(0, 2500) }
    case 'service restarted':
      return { kind, ...ofReplica(), ms: 0 }
    case 'start slow':
      return { kind, ...ofReplica(), ms: rng.int(5000, 40_000) }
    case 'service paused':
      // Some last longer than a job may go without a word: then another replica does it, too.
      return { kind, ...ofReplica(), ms: rng.chance(0.25) ? rng.int(13_000, 16_000) : rng.int(200, 5000) }
    case 'runner killed':
      return { kind, service: 'execution', replica: rng.int(0, replicas - 1), ms: 0 }
    case 'clock jump':
      return { kind, ...ofReplica(), ms: 0, byMs: rng.pick([-1, 1]) * rng.int(1000, 2 * 86_400_000) }
    case 'server killed':
      return { kind, server: rng.pick(servers), ms: rng.int(0, 3000) }
    case 'server paused':
      return { kind, server: rng.pick(servers), ms: rng.int(200, 8000) }
    case 'disk full':
      return {
        kind,
        server: rng.pick(servers),
        ms: rng.chance(0.25) ? rng.int(15_000, 25_000) : rng.int(500, 4000),
      }
    case 'disk slow':
      return { kind, server: rng.pick(servers), ms: rng.int(1000, 8000), writeMs: rng.int(2, 50) }
    case 'connection slow':
      return { kind, ...link(), latencyMs: rng.int(20, 400), ms: rng.int(1000, 8000) }
    case 'connection thin':
      return { kind, ...link(), bytesPerSecond: rng.int(2000, 50_000), ms: rng.int(1000, 8000) }
    case 'connection silent':
      return { kind, ...link(), ms: rng.int(500, 16_000) }
    case 'connection refused':
      return { kind, ...link(), ms: rng.int(500, 6000) }
    case 'connection cut':
      return { kind, ...link(), ms: 0 }
    case 'messages repeated':
    case 'messages held back':
      return { kind, count: rng.int(5, 60), draw: rng.int(0, 1_000_000), ms: rng.int(200, 4000) }
    default:
      return kind satisfies never
  }
}
