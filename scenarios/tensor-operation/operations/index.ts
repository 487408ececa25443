/** The explicit list of APIs; adding one is a file here, its phrase in say/ and a line. */
import type { TensorOperation } from '../effects.ts'
import { cat } from './cat.ts'
import { conv2d } from './conv2d.ts'
import { linear } from './linear.ts'
import { permute } from './permute.ts'
import { split } from './split.ts'
import { transpose } from './transpose.ts'

export const operations: readonly TensorOperation[] = [cat, split, transpose, permute, linear, conv2d]
