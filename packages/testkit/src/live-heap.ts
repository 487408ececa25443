/** Live memory: garbage, which a large machine keeps for long, is collected before measuring. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * This process's memory after a collection, on the heap and outside it, in MiB. It takes about 10 ms, so do
 * not measure in every step.
 */
export function liveHeapMiB(): number {
  // What the first collection finalises is freed by the second.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
