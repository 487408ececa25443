/**
 * A bounded pool of slots: as many as are needed, `size` at most; whoever comes when all are used waits in
 * line.
 */
import type { Slot } from './slot.ts'

export type Pool = ReturnType<typeof createPool>

export function createPool(size: number, make: () => Promise<Slot>) {
  const slots = new Set<Slot>()
  const free: Slot[] = []
  const waiting: { resolve: (slot: Slot) => void; reject: (error: Error) => void }[] = []
  let making = 0
  let closed = false

  /** Makes a slot for the first in line, if there is room. */
  function grow() {
    if (waiting.length <= making || slots.size + making >= size) return
    making++
    make().then(
      (slot) => {
        making--
        slots.add(slot)
        give(slot)
      },
      (error: unknown) => {
        making--
        waiting.shift()?.reject(error instanceof Error ? error : new Error(String(error)))
        grow()
      },
    )
  }
  function give(slot: Slot) {
    const first = waiting.shift()
    if (first) first.resolve(slot)
    else free.push(slot)
  }

  return {
    /** Prefers a free slot that suits, then the one used last, which is warm. */
    acquire(suits: (slot: Slot) => boolean): Promise<Slot> {
      if (closed) return Promise.reject(new Error('the world is closed'))
      const at = free.findLastIndex(suits)
      const slot = at < 0 ? free.pop() : free.splice(at, 1)[0]
      if (slot) return Promise.resolve(slot)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        grow()
      })
    },
    release: give,
    /** Forgets a slot that can't be used again. */
    discard(slot: Slot) {
      slots.delete(slot)
      grow()
    },
    /** All slots, for closing; whoever waits is refused. */
    drain(): Slot[] {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new Error('the world is closed'))
      return [...slots]
    },
  }
}
