/** The tensor runtime: what runs programs of tensor-operation. */
export { createTensorWorld, type TensorWorld } from './world.ts'
