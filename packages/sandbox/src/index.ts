export * from './sandbox.ts'
export * from './world.ts'
