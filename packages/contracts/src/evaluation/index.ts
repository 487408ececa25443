/** The resources of the evaluation service. */
export * from './answers.ts'
export * from './benchmark.ts'
export * from './build.ts'
export * from './evaluation.ts'
export * from './folder.ts'
export * from './options.ts'
export * from './report-run.ts'
export * from './writing.ts'
