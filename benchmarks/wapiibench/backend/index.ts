export { createCaptureWorld, createCaptureWorld as createWorld } from './capture-world.ts'
