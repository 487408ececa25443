export * from './document.ts'
export * from './operations.ts'
export * from './servers.ts'
