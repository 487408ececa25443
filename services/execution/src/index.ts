/** For tests and scripts that start or describe the service in their own process. */
export { execution } from './app.ts'
