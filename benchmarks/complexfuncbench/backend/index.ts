export { createTravelWorld, createTravelWorld as createWorld } from './travel-world.ts'
