/**
 * process.memoryUsage without /proc, from which Node would read its memory: the peak memory replaces it.
 */
import { getHeapStatistics } from 'node:v8'

export function installMemoryUsage() {
  try {
    process.memoryUsage.rss()
  } catch {
    const rss = () => process.resourceUsage().maxRSS * 1024
    process.memoryUsage = Object.assign(
      function memoryUsage() {
        const {
          total_heap_size: heapTotal,
          used_heap_size: heapUsed,
          external_memory: external,
        } = getHeapStatistics()
        // Buffers are all that is external, but for a little.
        return { rss: rss(), heapTotal, heapUsed, external, arrayBuffers: external }
      },
      { rss },
    )
  }
}
