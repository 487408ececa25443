/** linear and conv2d on elements. */
import { countKernelPlaces, type ConvolutionWalk } from '../shapes/computation.ts'
import { count, type ElementArray } from './array.ts'

/** y = x Wᵀ + b over the last dimension. */
export function linear(input: ElementArray, weight: ElementArray, bias: ElementArray | null): ElementArray {
  const [outFeatures, inFeatures] = weight.shape as [number, number]
  const rows = count(input.shape.slice(0, -1))
  const values = new Float32Array(rows * outFeatures)
  for (let row = 0; row < rows; row++) {
    for (let out = 0; out < outFeatures; out++) {
      let sum = bias ? (bias.values[out] as number) : 0
      for (let k = 0; k < inFeatures; k++)
        sum +=
          (input.values[row * inFeatures + k] as number) * (weight.values[out * inFeatures + k] as number)
      values[row * outFeatures + out] = sum
    }
  }
  return { shape: [...input.shape.slice(0, -1), outFeatures], values }
}

/** The cross-correlation of every group of channels with its kernels. */
export function conv2d(
  input: ElementArray,
  weight: ElementArray,
  bias: ElementArray | null,
  walk: ConvolutionWalk,
): ElementArray {
  const [batch, , height, width] = (input.shape.length === 3 ? [1, ...input.shape] : input.shape) as [
    number,
    number,
    number,
    number,
  ]
  const [outChannels, inChannels, tall, wide] = weight.shape as [number, number, number, number]
  const [rows, columns] = [countKernelPlaces(height, tall, walk, 0), countKernelPlaces(width, wide, walk, 1)]
  const perGroup = outChannels / walk.groups
  const channels = inChannels * walk.groups
  const values = new Float32Array(batch * outChannels * rows * columns)
  let at = 0
  for (let n = 0; n < batch; n++)
    for (let out = 0; out < outChannels; out++) {
      const first = Math.floor(out / perGroup) * inChannels
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) {
          let sum = bias ? (bias.values[out] as number) : 0
          for (let c = 0; c < inChannels; c++)
            for (let i = 0; i < tall; i++) {
              const y = row * walk.stride[0] - walk.before[0] + i * walk.dilation[0]
              if (y < 0 || y >= height) continue
              const line = ((n * channels + first + c) * height + y) * width
              const kernel = ((out * inChannels + c) * tall + i) * wide
              for (let j = 0; j < wide; j++) {
                const x = column * walk.stride[1] - walk.before[1] + j * walk.dilation[1]
                if (x >= 0 && x < width)
                  sum += (input.values[line + x] as number) * (weight.values[kernel + j] as number)
              }
            }
          values[at++] = sum
        }
    }
  const shape = [batch, outChannels, rows, columns]
  return { shape: input.shape.length === 3 ? shape.slice(1) : shape, values }
}
