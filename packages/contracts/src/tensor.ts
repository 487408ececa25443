/** Tensors as JSON values: in variables, in RESULT, in oracles, in programs. */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'

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

/** A tensor with its values. */
export const TensorData = Type.Object(
  { ...head, data: Type.String({ description: 'Base64 of the elements, little endian, row-major' }) },
  closedObject,
)
export type TensorData = Static<typeof TensorData>

/** A tensor whose values are in an artifact: a safetensors file with one tensor, named `tensor`. */
export const TensorInArtifact = Type.Object(
  { ...head, artifact: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file' }) },
  closedObject,
)
export type TensorInArtifact = Static<typeof TensorInArtifact>

/** A tensor whose values are drawn from a seed wherever they are needed, so they are never transferred. */
export const TensorDrawn = Type.Object(
  {
    ...head,
    seed: Type.String({
      pattern: '^(tensor|weight)(\\.\\d{1,10}){1,4}$',
      description:
        'Seed of the float32 elements, about standard normal. If it begins with weight, they are divided by the root of the fan-in',
    }),
  },
  closedObject,
)
export type TensorDrawn = Static<typeof TensorDrawn>

/** A summary in place of a large tensor's values: enough to compare it within a tolerance. */
export const TensorSummary = Type.Object(
  {
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the elements, little endian, row-major, with -0 as 0 and one kind of NaN',
    }),
    least: Type.Number({ description: 'The smallest finite element; 0 if there is none' }),
    most: Type.Number({ description: 'The largest finite element; 0 if there is none' }),
    sums: Type.String({
      description: 'Base64 of a float64 for each block: the sum of its finite elements with fixed signs',
    }),
    samples: Type.String({ description: 'Base64 of a float64 for each block: one of its elements' }),
    odd: Type.Optional(
      Type.Object(
        {
          nan: Type.Integer({ minimum: 0 }),
          up: Type.Integer({ minimum: 0, description: 'Infinities' }),
          down: Type.Integer({ minimum: 0, description: 'Negative infinities' }),
          places: Type.Integer({
            minimum: 0,
            description: 'A sum over their places, which is equal if the places are',
          }),
        },
        { ...closedObject, description: 'Elements that are not finite; absent if there are none' },
      ),
    ),
  },
  closedObject,
)
export type TensorSummary = Static<typeof TensorSummary>

/** A large tensor that a run produced, with a summary of its values. */
export const TensorSummarized = Type.Object({ ...head, summary: TensorSummary }, closedObject)
export type TensorSummarized = Static<typeof TensorSummarized>

export const TensorValue = Type.Object(
  { $tensor: Type.Union([TensorData, TensorInArtifact, TensorDrawn, TensorSummarized]) },
  closedObject,
)
export type TensorValue = Static<typeof TensorValue>

/** A provider that computes tensors. */
export const TensorProvider = Type.Union(
  [Type.Literal('cuda'), Type.Literal('webgpu'), Type.Literal('cpu')],
  {
    description:
      'cuda: an NVIDIA GPU; webgpu: any GPU with a Vulkan driver, for programs in JavaScript; cpu: always available',
  },
)
export type TensorProvider = Static<typeof TensorProvider>

/** The provider that an evaluation or build requests for its runs. */
export const RequestedProvider = Type.Union(TensorProvider.anyOf, {
  description:
    'The provider that computes the tensors of its runs. Default: execution’s choice. Results do not depend on it. For webgpu, programs in Python use execution’s choice',
})

/** The provider that computed the tensors of a run. */
export const TensorComputation = Type.Object(
  {
    provider: TensorProvider,
    operations: defineRecord(Type.Integer({ minimum: 1 }), {
      description:
        'Operations by the provider that computed them. The cpu computes operations that a device cannot compute exactly, within the same graph. Empty for PyTorch, which computes all operations on `provider`',
    }),
  },
  closedObject,
)
export type TensorComputation = Static<typeof TensorComputation>

/** A provider, as examined on this machine. */
export const FoundProvider = Type.Object(
  {
    provider: TensorProvider,
    available: Type.Boolean({
      description: 'Whether a session with this provider could compute a small graph correctly',
    }),
    device: Type.Optional(Type.String({ description: 'Name of the device, if the machine reports it' })),
    driver: Type.Optional(
      Type.String({ description: 'Driver of the device with its version, if the machine reports it' }),
    ),
    reason: Type.Optional(
      Type.String({ description: 'Why the provider is unavailable, or is not chosen by default' }),
    ),
  },
  closedObject,
)
export type FoundProvider = Static<typeof FoundProvider>
