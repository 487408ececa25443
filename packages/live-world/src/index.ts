export * from './caller.ts'
export * from './host.ts'
