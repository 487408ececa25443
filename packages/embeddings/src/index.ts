export * from './embedder.ts'
export * from './server.ts'
