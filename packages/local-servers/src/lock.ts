/**
 * A lock between processes of one machine that the system lifts when its holder ends, however it ends:
 * nothing goes stale.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const busy = 5 // SQLITE_BUSY

/**
 * Runs `work` while no other process (and no other caller here) holds the lock on this file.
 * @param waiting called once when somebody else holds it
 */
export async function withLock<T>(file: string, waiting: () => void, work: () => Promise<T>): Promise<T> {
  // An exclusive transaction of an empty SQLite file is a lock of the operating system that Node can take
  // without an addon.
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    for (let hasWaited = false; !acquire(database); await sleep(100)) {
      if (!hasWaited) waiting()
      hasWaited = true
    }
    return await work()
  } finally {
    database.close()
  }
}

function acquire(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) return false
    throw error
  }
}
