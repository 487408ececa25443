/** For tests and scripts that start or describe the service in their own process. */
export { scoring } from './app.ts'
