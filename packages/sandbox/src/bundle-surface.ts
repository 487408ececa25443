/** The text of a surface’s module (world.ts) from its sources. */
import { buildSync } from 'esbuild'

/** `entry`: a TypeScript file that exports `surface`. */
export function bundleSurface(entry: string): string {
  const built = buildSync({
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
  return built.outputFiles[0]!.text
}
