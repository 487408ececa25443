import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { buildJailCommand } from '@stateeval/jail'
import { findGraphicsDevices } from './graphics.ts'

test('a jail gets the device files of computing and the driver’s libraries of CUDA, and nothing else of a GPU', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stateeval-devices-'))
  const names = [
    'nvidia0',
    'nvidia1',
    'nvidiactl',
    'nvidia-uvm',
    'nvidia-uvm-tools',
    'nvidia-modeset',
    'mem',
    'dri',
  ]
  for (const name of [...names, 'libcuda.so.1', 'libc.so.6']) writeFileSync(join(folder, name), '')
  const listing = ['libcuda.so.1', 'libc.so.6', 'libnvidia-ml.so.1'].map(
    (name) => `\t${name} (libc6,x86-64) => ${join(folder, name)}\n`,
  )
  const { devices, libraries, env } = findGraphicsDevices(folder, listing.join(''))
  expect(devices).toEqual(['nvidia-uvm', 'nvidia0', 'nvidia1', 'nvidiactl'].map((name) => join(folder, name)))
  expect(libraries.map(({ target }) => target)).toEqual([join(folder, 'libcuda.so.1')])
  expect(env).toMatchObject({ STATEEVAL_TORCH_DEVICE: 'cuda', NVIDIA_TF32_OVERRIDE: '0' })
  rmSync(folder, { recursive: true })

  const image = { binds: [], command: ['true'], bare: ['true'] }
  const words = (deviceList: readonly string[]) =>
    buildJailCommand(
      { ...image, devices: deviceList },
      { jailed: true, machine: false },
      { tmpBytes: 1 },
    ).args.join(' ')
  expect(words(['/dev/nvidia0'])).toContain('--dev-bind /dev/nvidia0 /dev/nvidia0 --remount-ro /dev')
  expect(words([])).not.toContain('--dev-bind')
})
