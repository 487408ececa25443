/** The tensor runtime: what runs programs of tensor-operation. */
import type { MakeWorld } from '@stateeval/sandbox'
import { defineSettings } from '@stateeval/service-kit'
import { type Choice, choices } from './graph/find-providers.ts'
import { createTensorWorld } from './world.ts'

export { createTensorWorld, type TensorWorld } from './world.ts'

export const settings = defineSettings({
  STATEEVAL_TENSOR_PROVIDER: {
    type: 'string',
    default: 'auto',
    choices: [...choices],
    doc: 'What computes tensors: cuda (an NVIDIA GPU; programs in Python get its device files, too), webgpu (any GPU with a Vulkan driver; programs in JavaScript), cpu, or auto: the first of these that works here, and PyTorch on the CPU. Each is tried with a small graph in a process of its own; /v1/runtime says what was found',
  },
  STATEEVAL_TENSOR_DEVICE_MIB: {
    type: 'integer',
    optional: true,
    min: 1,
    doc: 'Memory of the GPU that the tensors of one graph may take, in MiB. A graph that needs more fails its run, which is repeated with that graph on the CPU. Default: as much as the GPU has',
  },
  STATEEVAL_TENSOR_MIB: {
    type: 'integer',
    optional: true,
    min: 256,
    doc: 'Memory that tensors of large programs may take in ONNX Runtime, all of them together, in MiB. Programs wait for room; one that needs more than there is fails its run with the reason. Default: half of the memory that this process may use',
  },
})
export const createWorld: MakeWorld = ({ settings: values }) =>
  createTensorWorld({
    choice: (values['STATEEVAL_TENSOR_PROVIDER'] ?? 'auto') as Choice,
    ...(values['STATEEVAL_TENSOR_DEVICE_MIB'] !== undefined && {
      deviceBytes: (values['STATEEVAL_TENSOR_DEVICE_MIB'] as number) * 2 ** 20,
    }),
    ...(values['STATEEVAL_TENSOR_MIB'] !== undefined && {
      memoryBytes: (values['STATEEVAL_TENSOR_MIB'] as number) * 2 ** 20,
    }),
  })
