export * from './servers.ts'
