/** Name and driver of the device behind a provider, as far as this machine tells. */
import { execFile } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { GraphProvider } from './provider.ts'

interface GraphDevice {
  device?: string
  driver?: string
  /** A driver that computes on the CPU. */
  isSoftware?: boolean
}

const run = promisify(execFile)
/** A tool that asks a driver may hang with it. */
const patience = { timeout: 20_000, killSignal: 'SIGKILL', maxBuffer: 2 ** 16 } as const

/** `libraries`: those that were loaded for the provider. */
export async function describeDevice(
  provider: GraphProvider,
  libraries: readonly string[],
  env: Record<string, string | undefined>,
): Promise<GraphDevice> {
  if (provider === 'cpu')
    return { device: `${cpus()[0]?.model.trim() ?? process.arch}, ${availableParallelism()} cores` }
  return provider === 'cuda' ? readNvidiaDevice(env) : readVulkanDevice(libraries, env)
}

async function readNvidiaDevice(env: NodeJS.ProcessEnv): Promise<GraphDevice> {
  try {
    const { stdout } = await run('nvidia-smi', ['--query-gpu=name,driver_version', '--format=csv,noheader'], {
      ...patience,
      env,
    })
    const [device, version] = stdout.split('\n')[0]!.split(', ')
    return { device: device!, driver: `NVIDIA ${version}` }
  } catch {
    return readKernelDriver()
  }
}

function readKernelDriver(): GraphDevice {
  try {
    const version = /Module\s+(?:for \S+\s+)?(\S+)/.exec(
      readFileSync('/proc/driver/nvidia/version', 'utf8'),
    )?.[1]
    return version === undefined ? {} : { driver: `NVIDIA ${version}` }
  } catch {
    return {}
  }
}

const software = /swiftshader|lvp|lavapipe|llvmpipe/i
const driverPattern = /libvk_|libvulkan_|libGLX_nvidia|nvidia-vulkan|VkICD/

/**
 * The name comes from Vulkan itself, asked by a short script in Python where there is one; else the driver’s
 * library tells.
 */
async function readVulkanDevice(libraries: readonly string[], env: NodeJS.ProcessEnv): Promise<GraphDevice> {
  const library = libraries.find((path) => driverPattern.test(basename(path)))
  const file = library === undefined ? undefined : basename(resolveRealPath(library))
  const isSoftware = file !== undefined && software.test(file)
  try {
    const { stdout } = await run('python3', ['-I', join(import.meta.dirname, 'vulkan-devices.py')], {
      ...patience,
      env,
    })
    const [first] = JSON.parse(stdout) as { name: string; driver: string; type: string }[]
    if (first)
      return {
        device: first.name,
        driver: first.driver,
        ...((isSoftware || first.type === 'cpu') && { isSoftware: true }),
      }
  } catch {
    // No Python, or a driver that doesn't answer twice.
  }
  return { ...(file !== undefined && { driver: file }), ...(isSoftware && { isSoftware }) }
}

const resolveRealPath = (path: string) => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
