/**
 * What a machine has to compute tensors is found by trying it; a driver that is broken, dies or hangs is told
 * of, and harms nobody.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { encodeBase64 } from '@stateeval/program'
import { checkGraph } from '../graph/check.ts'
import type { ProviderChoice } from '../graph/find-providers.ts'
import { createRemoteRuntime, type RemoteRuntime } from '../graph/remote.ts'
import { driver, noVulkan, swiftShader, whyNoSwiftShader } from './swiftshader.ts'

const folder = mkdtempSync(join(tmpdir(), 'stateeval-drivers-'))
afterAll(() => rmSync(folder, { recursive: true }))

const data = encodeBase64(new Uint8Array(Float32Array.from([1, 2]).buffer))
const leaf = { op: 'leaf', dtype: 'float32', shape: [2], data }
const graph = checkGraph({ nodes: [leaf, { op: 'neg', in: [0] }], outputs: [1], keep: [] }, new Map())

async function within<T>(
  options: { choice: ProviderChoice; env: Record<string, string | undefined>; probeMs?: number },
  use: (runtime: RemoteRuntime) => Promise<T>,
): Promise<T> {
  const runtime = await createRemoteRuntime({ maxWorkers: 1, ...options })
  try {
    return await use(runtime)
  } finally {
    await runtime.close()
  }
}
const entryOf = (runtime: RemoteRuntime, provider: string) =>
  runtime.providers().find((one) => one.provider === provider)!
/** The CPU computes whatever became of the others. */
const stillComputes = async (runtime: RemoteRuntime) => {
  const { values, operations } = await runtime.run(graph, [1])
  expect([...new Float32Array(Uint8Array.from(values.get(1)!.bytes).buffer)]).toEqual([-1, -2])
  expect(operations).toEqual({ cpu: 1 })
}

test('without any GPU the CPU is taken, and of the others it is said why not', () =>
  within({ choice: 'auto', env: noVulkan }, async (runtime) => {
    expect(runtime.provider()).toEqual({ provider: 'cpu' })
    expect(entryOf(runtime, 'cpu')).toMatchObject({
      available: true,
      device: expect.stringContaining('cores'),
    })
    expect(entryOf(runtime, 'cuda')).toMatchObject({
      available: false,
      reason: expect.stringMatching(/^ONNX Runtime’s CUDA libraries/),
    })
    expect(entryOf(runtime, 'webgpu')).toMatchObject({
      available: false,
      reason: expect.stringContaining('WebGPU'),
    })
    await stillComputes(runtime)
  }))

test('a provider that was asked for and is missing is a problem with its reason; the CPU can still be named', () =>
  within({ choice: 'webgpu', env: noVulkan }, async (runtime) => {
    expect(runtime.provider()).toEqual({
      problem: expect.stringMatching(/^STATEEVAL_TENSOR_PROVIDER is webgpu, which is unavailable: .*WebGPU/),
    })
    expect(entryOf(runtime, 'cuda').reason).toBe('not tried: STATEEVAL_TENSOR_PROVIDER is webgpu')
    await stillComputes(runtime)
  }))

const needsSwiftShader = whyNoSwiftShader === undefined ? test : test.skip
if (whyNoSwiftShader !== undefined) console.warn(`webgpu is not tested: ${whyNoSwiftShader}`)

needsSwiftShader(
  'a Vulkan driver is found with its name; one that computes on the CPU is taken only when it is named',
  async () => {
    await within({ choice: 'auto', env: swiftShader }, (runtime) => {
      expect(runtime.provider()).toEqual({ provider: 'cpu' })
      expect(entryOf(runtime, 'webgpu')).toMatchObject({
        available: true,
        device: expect.stringContaining('SwiftShader'),
        driver: expect.stringContaining('SwiftShader'),
        reason: expect.stringContaining('more slowly than the cpu provider'),
      })
      return Promise.resolve()
    })
    await within({ choice: 'webgpu', env: swiftShader }, async (runtime) => {
      expect(runtime.provider()).toEqual({ provider: 'webgpu' })
      expect((await runtime.run(graph, [1], 'webgpu')).operations).toEqual({ webgpu: 1 })
      await stillComputes(runtime)
    })
  },
)

describe('drivers that are no good', () => {
  const icd = (name: string, library: string) => {
    const path = join(folder, `${name}.json`)
    writeFileSync(
      path,
      JSON.stringify({ file_format_version: '1.0.0', ICD: { library_path: library, api_version: '1.1.0' } }),
    )
    return path
  }
  /** null where there is no compiler. */
  function compiled(name: string, body: string): string | null {
    const [source, library] = [join(folder, `${name}.c`), join(folder, `lib${name}.so`)]
    writeFileSync(
      source,
      `#include <stdlib.h>\n#include <unistd.h>\n__attribute__((constructor)) static void load(void) { ${body} }\n`,
    )
    try {
      execFileSync('cc', ['-shared', '-fPIC', '-o', library, source], { stdio: 'ignore' })
      return library
    } catch {
      console.warn(`a driver that ${name} is not tested: there is no C compiler (cc)`)
      return null
    }
  }
  const broken = async (path: string, reason: RegExp, probeMs = 60_000) =>
    within({ choice: 'webgpu', env: driver(path), probeMs }, async (runtime) => {
      expect(entryOf(runtime, 'webgpu')).toEqual({
        provider: 'webgpu',
        available: false,
        reason: expect.stringMatching(reason),
      })
      await stillComputes(runtime)
    })

  needsSwiftShader('a library that is missing', () => broken(icd('missing', './nowhere.so'), /WebGPU/))
  needsSwiftShader('a library that is none', () => {
    writeFileSync(join(folder, 'garbage.so'), 'no library')
    return broken(icd('garbage', join(folder, 'garbage.so')), /WebGPU/)
  })
  needsSwiftShader('a library that ends the process', async () => {
    const library = compiled('dies', 'abort();')
    if (library !== null) await broken(icd('dies', library), /the process of ONNX Runtime ended \(SIGABRT/)
  })
  needsSwiftShader('a library that never answers', async () => {
    const library = compiled('hangs', 'for (;;) pause();')
    if (library !== null)
      await broken(icd('hangs', library), /^no answer within 3 s; the process was ended/, 3000)
  })

  const whenLong = process.env['STATEEVAL_LONG'] === '1' ? needsSwiftShader : test.skip
  whenLong(
    'a driver that ends processes later is given up when its trial fails as well, not before',
    async () => {
      const library = compiled('dies', 'abort();')
      if (library === null) return
      const changing = icd('changing', join(swiftShader.LD_LIBRARY_PATH!, 'libvk_swiftshader.so'))
      await within({ choice: 'webgpu', env: driver(changing) }, async (runtime) => {
        const threeEnd = async () => {
          for (let round = 0; round < 3; round++) {
            await runtime.run(graph, [1])
            const pid = runtime.pids()[0]!
            process.kill(pid, 'SIGSTOP')
            const lost = runtime.run(graph, [1], 'webgpu')
            process.kill(pid, 'SIGKILL')
            await expect(lost).rejects.toThrow('the process of ONNX Runtime ended')
          }
        }
        await threeEnd()
        expect(runtime.provider()).toEqual({ provider: 'webgpu' })
        expect((await runtime.run(graph, [1], 'webgpu')).operations).toEqual({ webgpu: 1 })
        icd('changing', library)
        await threeEnd()
        expect(runtime.provider()).toEqual({
          problem: expect.stringContaining('webgpu, which is unavailable: given up: 3 graphs'),
        })
        await stillComputes(runtime)
      })
    },
  )
})
