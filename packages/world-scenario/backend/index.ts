export { createModelWorld } from './world.ts'
