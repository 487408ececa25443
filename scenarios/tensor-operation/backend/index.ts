/** The tensor runtime: what runs programs of tensor-operation. */
import type { MakeWorld } from '@stateeval/sandbox'
import { defineSettings } from '@stateeval/service-kit'
import { type ProviderChoice, choices } from './graph/find-providers.ts'
import { createTensorWorld } from './world.ts'

export { createTensorWorld, type TensorWorld } from './world.ts'

export const settings = defineSettings({
  STATEEVAL_TENSOR_PROVIDER: {
    type: 'string',
    default: 'auto',
    choices: [...choices],
    doc: 'What computes tensors; auto takes the first that works, and PyTorch on the CPU. With cuda, Python programs get the GPU’s device files',
  },
  STATEEVAL_TENSOR_DEVICE_MIB: {
    type: 'integer',
    optional: true,
    min: 1,
    doc: 'GPU memory for the tensors of one graph, in MiB. A larger graph runs on the CPU. Default: all memory of the GPU',
  },
  STATEEVAL_TENSOR_MIB: {
    type: 'integer',
    optional: true,
    min: 256,
    doc: 'Memory for tensors of large programs in ONNX Runtime, in MiB. Programs wait for it. Default: half of the memory that this process may use',
  },
})
export const createWorld: MakeWorld = ({ settings: values }) =>
  createTensorWorld({
    choice: (values['STATEEVAL_TENSOR_PROVIDER'] ?? 'auto') as ProviderChoice,
    ...(values['STATEEVAL_TENSOR_DEVICE_MIB'] !== undefined && {
      deviceBytes: (values['STATEEVAL_TENSOR_DEVICE_MIB'] as number) * 2 ** 20,
    }),
    ...(values['STATEEVAL_TENSOR_MIB'] !== undefined && {
      memoryBytes: (values['STATEEVAL_TENSOR_MIB'] as number) * 2 ** 20,
    }),
  })
