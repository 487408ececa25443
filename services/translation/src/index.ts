/** For tests and scripts that start or describe the service in their own process. */
export { translation } from './app.ts'
