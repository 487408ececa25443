export * from './client.ts'
export * from './events.ts'
