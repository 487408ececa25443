/**
 * Files that ONNX Runtime's telemetry left behind before it was turned off: a device number and a database.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes these files of the user; returns their folder if there was one. Never fails. */
export async function removeTelemetryFiles(env: NodeJS.ProcessEnv): Promise<string | null> {
  const cache = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'))
  if (!cache) return null
  const folder = join(cache, 'Microsoft/DeveloperTools/.onnxruntime')
  if (!existsSync(folder)) return null
  return rm(folder, { recursive: true }).then(
    () => folder,
    () => null,
  )
}
