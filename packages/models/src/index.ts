export * from './client.ts'
export * from './gate.ts'
export * from './host.ts'
export * from './key.ts'
