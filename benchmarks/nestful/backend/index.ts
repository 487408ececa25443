export { createFunctionsWorld as createWorld } from './functions-world.ts'
