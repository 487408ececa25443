export { type ModelledAnswer, type ModelledWorld, createModelledWorld } from './modelled-world.ts'
