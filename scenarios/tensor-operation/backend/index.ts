/** The tensor runtime: what runs programs of tensor-operation. */
export { createTensorWorld, createTensorWorld as createWorld, type TensorWorld } from './world.ts'
