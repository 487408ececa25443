/**
 * Loaded before a service (--import): shifts its wall clock by the milliseconds in a file. The monotonic
 * clock is not affected, as on a machine whose time is set.
 */
import { readFileSync } from 'node:fs'

const file = process.env['STATEEVAL_TEST_CLOCK']
let offset = 0
const read = () => {
  try {
    offset = Number(readFileSync(file!, 'utf8')) || 0
  } catch {
    // It is being written.
  }
}

if (file) {
  const RealDate = Date
  const realNow = Date.now.bind(Date)
  const now = () => realNow() + offset
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)) as unknown,
  })
  read()
  setInterval(read, 100).unref()
}
