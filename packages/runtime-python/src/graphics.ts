/**
 * PyTorch's requirements for an NVIDIA GPU in a jail: its device files and the driver's libraries. Only
 * worlds that request `torch.cuda` get them, if the operator has chosen so: docs/security.md describes the
 * consequences.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'

interface GraphicsDevices {
  devices: string[]
  libraries: { source: string; target: string }[]
  env: Record<string, string>
}

/**
 * The GPUs themselves, what controls them, and memory that is shared with them; nothing for displays, and no
 * capabilities.
 */
const devicePattern = /^nvidia(\d+|ctl|-uvm)$/
/** The driver's part of CUDA, and its compiler. */
const libraryPattern = /^lib(cuda|nvidia-ptxjitcompiler|nvidia-nvvm)\.so\.\d/

export function findGraphicsDevices(folder = '/dev', listing = readLibraryCache()): GraphicsDevices {
  const names = readdirSync(folder).filter((name) => devicePattern.test(name))
  const paths = [...listing.matchAll(/=> (\S+)$/gm)].map(([, path]) => path!)
  return {
    devices: names.sort().map((name) => join(folder, name)),
    libraries: paths
      .filter((path) => libraryPattern.test(basename(path)))
      .map((path) => ({ source: realpathSync(path), target: path })),
    env: {
      STATEEVAL_TORCH_DEVICE: 'cuda',
      // Products keep all bits of float32, and sums come out the same twice
      // (docs/decisions/tensor-tolerance.md).
      NVIDIA_TF32_OVERRIDE: '0',
      CUBLAS_WORKSPACE_CONFIG: ':4096:8',
      CUDA_MODULE_LOADING: 'LAZY',
      CUDA_CACHE_DISABLE: '1',
    },
  }
}

function readLibraryCache(): string {
  try {
    return execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8', maxBuffer: 1 << 24 })
  } catch {
    return ''
  }
}
