/**
 * An evaluation on N nodes, simulated: samples of a closed window go from part to part, each part serves as
 * many at a time as it has places, first come first served. What a visit takes is drawn about the measured
 * mean. Everything is computed in virtual time, so a year of it takes a second, and a seed gives the same
 * numbers each time.
 */
import { random } from '../load/random.ts'

/** A part that samples pass through once: a service with its replicas, or the servers. */
export interface Station {
  name: string
  /** Visits that are served at a time. */
  places: number
  /** Seconds that a visit takes at one place, in the mean. */
  seconds: number
}

export interface Simulated {
  perSecond: number
  /** Share of the places that are busy, by station. */
  busy: Record<string, number>
  /** The part that is busiest: the next one to give more of. */
  saturates: string
}

/** What a visit takes varies: half of it is fixed, the rest is exponential. */
const fixedShare = 0.5

/**
 * @param window samples in flight at a time, as the coordinator allows them.
 * @param samples how many pass; the first tenth warms up and doesn't count.
 */
export function simulate(
  stations: readonly Station[],
  { window, samples = 20_000, seed = 1 }: { window: number; samples?: number; seed?: number },
): Simulated {
  const draw = random(seed)
  const visit = (mean: number) => mean * (fixedShare - (1 - fixedShare) * Math.log(1 - draw()))
  const events = new Heap()
  const states = stations.map(() => ({ busy: 0, waiting: 0, busySeconds: 0 }))
  const warmUp = Math.ceil(samples / 10)
  let [now, done, countedFrom] = [0, 0, 0]

  const begin = (at: number) => {
    states[at]!.busy++
    const takes = visit(stations[at]!.seconds)
    if (done >= warmUp) states[at]!.busySeconds += takes
    events.push(now + takes, at)
  }
  const arrive = (at: number) => {
    if (states[at]!.busy < stations[at]!.places) begin(at)
    else states[at]!.waiting++
  }
  for (let n = 0; n < window; n++) arrive(0)
  while (done < samples) {
    const event = events.pop()!
    now = event.time
    const state = states[event.station]!
    state.busy--
    if (state.waiting > 0) {
      state.waiting--
      begin(event.station)
    }
    if (event.station + 1 < stations.length) arrive(event.station + 1)
    else {
      if (++done === warmUp) countedFrom = now
      arrive(0)
    }
  }
  const seconds = now - countedFrom
  const busy = Object.fromEntries(
    stations.map(({ name, places }, at) => [name, Math.min(1, states[at]!.busySeconds / seconds / places)]),
  )
  const saturates = Object.entries(busy).reduce((most, one) => (one[1] > most[1] ? one : most))[0]
  return { perSecond: (samples - warmUp) / seconds, busy, saturates }
}

interface Event {
  time: number
  station: number
}

/** The events to come, the earliest first. */
class Heap {
  readonly #events: Event[] = []

  push(time: number, station: number) {
    const events = this.#events
    let at = events.push({ time, station }) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (events[above]!.time <= events[at]!.time) return
      ;[events[above], events[at]] = [events[at]!, events[above]!]
      at = above
    }
  }

  pop(): Event | undefined {
    const events = this.#events
    const first = events[0]
    const last = events.pop()
    if (!first || events.length === 0 || !last) return first
    events[0] = last
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < events.length && events[left]!.time < events[least]!.time) least = left
      if (right < events.length && events[right]!.time < events[least]!.time) least = right
      if (least === at) return first
      ;[events[least], events[at]] = [events[at]!, events[least]!]
      at = least
    }
  }
}
