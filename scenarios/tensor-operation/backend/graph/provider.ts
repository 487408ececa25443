/** Providers of tensor computation: ONNX Runtime's execution providers, best first. */
import { getOwnMember, type TensorProvider } from '@stateeval/contracts'
import { LackOfMemory } from '@stateeval/sandbox/lack-of-memory'

export type GraphProvider = TensorProvider
export const providers: readonly GraphProvider[] = ['cuda', 'webgpu', 'cpu']

/** Operations by the provider that computed them. */
export type ProviderOperations = Partial<Record<GraphProvider, number>>

/** Names of providers in ONNX Runtime's records. */
const recordedNames: Readonly<Record<string, GraphProvider>> = {
  CUDAExecutionProvider: 'cuda',
  WebGpuExecutionProvider: 'webgpu',
  CPUExecutionProvider: 'cpu',
}
export const parseProvider = (name: unknown): GraphProvider =>
  getOwnMember(recordedNames, String(name)) ?? 'cpu'

/** The provider could not hold what a graph needs; another one, or another machine, may. */
export class DeviceMemoryError extends LackOfMemory {
  override readonly name = 'DeviceMemoryError'
}

/** Messages of ONNX Runtime, CUDA, Dawn, drivers and C++ when memory is used up. */
const outOfMemory =
  /out of (device )?memory|OutOfMemory|failed to allocate memory|bad_alloc|Array buffer allocation failed|CUDA_ERROR_OUT_OF_MEMORY|OUT_OF_DEVICE_MEMORY|BFCArena::AllocateRaw|exceeds the max (buffer|storage)/i
export const hasOutOfMemoryWords = (message: string) => outOfMemory.test(message)
