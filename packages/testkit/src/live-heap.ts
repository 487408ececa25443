/**
 * Memory that is alive: garbage, which a large machine lets pile up for long, is collected before anything is
 * counted.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * What this process holds after a collection, on the heap and outside it, in MiB. Takes some 10 ms; no thing
 * to ask for in each step.
 */
export function liveHeapMiB(): number {
  // What the first collection finalises is freed by the second.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
