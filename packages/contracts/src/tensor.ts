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

/** Its values drawn from a seed wherever they are needed, so that they travel nowhere. */
export const TensorDrawn = Type.Object(
  {
    ...head,
    seed: Type.String({
      pattern: '^(tensor|weight)(\\.\\d{1,10}){1,4}$',
      description:
        'Of about standard normal float32 elements; one that begins with weight divides them by the root of its fan-in',
    }),
  },
  closedObject,
)
export type TensorDrawn = Static<typeof TensorDrawn>

/** What stands for the values of a large tensor: enough to compare it within a tolerance. */
export const TensorSummary = Type.Object(
  {
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Of the elements, little endian, row-major, with -0 as 0 and one kind of NaN',
    }),
    least: Type.Number({ description: 'The least finite element; 0 where there is none' }),
    most: Type.Number({ description: 'The largest finite element; 0 where there is none' }),
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
          places: Type.Integer({ minimum: 0, description: 'A sum over their places: equal where these are' }),
        },
        { ...closedObject, description: 'Elements that are no finite numbers; absent where there are none' },
      ),
    ),
  },
  closedObject,
)
export type TensorSummary = Static<typeof TensorSummary>

/** A large tensor that a run left: what its values came to. */
export const TensorSummarized = Type.Object({ ...head, summary: TensorSummary }, closedObject)
export type TensorSummarized = Static<typeof TensorSummarized>

export const TensorValue = Type.Object(
  { $tensor: Type.Union([TensorData, TensorInArtifact, TensorDrawn, TensorSummarized]) },
  closedObject,
)
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

/** What an evaluation or build asks to compute the tensors of its runs. */
export const RequestedProvider = Type.Union(TensorProvider.anyOf, {
  description:
    'What computes the tensors of its runs; the default is execution’s own. Results don’t depend on it. In Python webgpu is left to execution’s choice',
})

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
