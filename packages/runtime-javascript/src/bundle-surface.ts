/** The text of a surface’s module (world.ts) from its sources. */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { loadBundler } from './bundle.ts'
import { listBundleInputs, readDiskCache } from './disk-cache.ts'
import { findCacheFolder } from '@stateeval/runtime'

/** `entry`: a TypeScript file that exports `surface`. */
export function buildSurfaceBundle(entry: string): string {
  const name = createHash('sha256').update(entry).digest('hex').slice(0, 16)
  return readDiskCache(join(findCacheFolder(), `surface-${name}.json`), () => {
    const buildResult = loadBundler().buildSync({
      absWorkingDir: dirname(entry),
      metafile: true,
      entryPoints: [entry],
      bundle: true,
      write: false,
      platform: 'neutral',
      target: 'node24',
      format: 'cjs',
      minify: true,
      keepNames: true,
      legalComments: 'none',
      logLevel: 'silent',
    })
    return {
      value: buildResult.outputFiles[0]!.text,
      inputs: listBundleInputs(dirname(entry), [buildResult], [import.meta.filename]),
    }
  })
}
