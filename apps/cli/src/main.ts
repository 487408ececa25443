import { createProgram } from './program.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort()
  setTimeout(() => process.exit(130), 2_000).unref()
})
process.exitCode = await createProgram(process, interrupted.signal)(process.argv.slice(2))
