export { createCaptureWorld } from './capture-world.ts'
