/**
 * A bounded pool of slots: as many as are needed, `size` at most; whoever comes when all are used waits in
 * line.
 */
import type { DatabaseSlot } from './slot.ts'

export type SlotPool = ReturnType<typeof createPool>

export function createPool(size: number, make: () => Promise<DatabaseSlot>) {
  const slots = new Set<DatabaseSlot>()
  const free: DatabaseSlot[] = []
  const waiting: { resolve: (slot: DatabaseSlot) => void; reject: (error: Error) => void }[] = []
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
  function give(slot: DatabaseSlot) {
    const first = waiting.shift()
    if (first) first.resolve(slot)
    else free.push(slot)
  }

  return {
    /** Prefers a free slot that suits, then the one used last, which is warm. */
    acquire(suits: (slot: DatabaseSlot) => boolean): Promise<DatabaseSlot> {
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
    discard(slot: DatabaseSlot) {
      slots.delete(slot)
      grow()
    },
    /** All slots, for closing; whoever waits is refused. */
    drain(): DatabaseSlot[] {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new Error('the world is closed'))
      return [...slots]
    },
  }
}
