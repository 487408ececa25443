export { createWorldScenario } from './scenario.ts'
