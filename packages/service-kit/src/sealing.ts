/**
 * Work on what is derived from a sealed seed. While it is sealed, payloads and artifacts are stored encrypted
 * and jobs are marked, so that whoever does them seals, too. Documents and messages then name only artifacts,
 * which no backup has.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const sealing = new AsyncLocalStorage<true>()

/** Runs work and what it begins, sealed or as it is here. */
export const runSealed = <T>(isSealed: boolean, work: () => T): T =>
  isSealed ? sealing.run(true, work) : work()

export const isSealing = (): boolean => sealing.getStore() === true

export const hiddenError = 'hidden while the stream is sealed; the log of the service has it'
/** An error as it may be stored or told to callers. The error of sealed work may quote a task. */
export const formatStorableError = (error: string): string => (isSealing() ? hiddenError : error)
