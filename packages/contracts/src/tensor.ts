/** Tensors as JSON values: in variables, in RESULT, in oracles, in programs. */
import Type, { type Static } from 'typebox'
import { recordOf } from './basics/record.ts'

export const tensorDtypes = [
  'float64',
  'float32',
  'float16',
  'bfloat16',
  'int64',
  'int32',
  'int16',
  'int8',
  'uint8',
  'bool',
] as const
export type TensorDtype = (typeof tensorDtypes)[number]

const head = {
  dtype: Type.Enum(tensorDtypes, { type: 'string' }),
  shape: Type.Array(Type.Integer({ minimum: 0 }), {
    maxItems: 16,
    description: 'Sizes, outermost first; [] is a scalar of one element',
  }),
}
const closedObject = { additionalProperties: false } as const

/** Its values at hand. */
export const TensorData = Type.Object(
  { ...head, data: Type.String({ description: 'Base64 of the elements, little endian, row-major' }) },
  closedObject,
)
export type TensorData = Static<typeof TensorData>

/** Its values in an artifact: a safetensors file with one tensor, named `tensor`. */
export const TensorInArtifact = Type.Object(
  { ...head, artifact: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file' }) },
  closedObject,
)
export type TensorInArtifact = Static<typeof TensorInArtifact>

export const TensorValue = Type.Object({ $tensor: Type.Union([TensorData, TensorInArtifact]) }, closedObject)
export type TensorValue = Static<typeof TensorValue>

/** What computes tensors. */
export const TensorProvider = Type.Union(
  [Type.Literal('cuda'), Type.Literal('webgpu'), Type.Literal('cpu')],
  {
    description:
      'cuda: an NVIDIA GPU; webgpu: any GPU with a Vulkan driver, for programs in JavaScript; cpu: always there',
  },
)
export type TensorProvider = Static<typeof TensorProvider>

/** What computed the tensors of a run. */
export const TensorComputation = Type.Object(
  {
    provider: TensorProvider,
    operations: recordOf(Type.Integer({ minimum: 1 }), {
      description:
        'Operations by the provider that computed them: what a device can’t do exactly is done by cpu within the same graph. Empty for PyTorch, which computes all of them on `provider`',
    }),
  },
  closedObject,
)
export type TensorComputation = Static<typeof TensorComputation>

/** A provider as it was found when it was tried on this machine. */
export const FoundProvider = Type.Object(
  {
    provider: TensorProvider,
    available: Type.Boolean({
      description: 'A session was made with it, and computed a small graph rightly',
    }),
    device: Type.Optional(Type.String({ description: 'Name of the device, where the machine tells' })),
    driver: Type.Optional(
      Type.String({ description: 'Driver of the device with its version, where the machine tells' }),
    ),
    reason: Type.Optional(
      Type.String({ description: 'Why it is unavailable, or available and not taken by itself' }),
    ),
  },
  closedObject,
)
export type FoundProvider = Static<typeof FoundProvider>
