import { createProgram } from './program.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort()
  setTimeout(() => process.exit(130), 2_000).unref()
})
const { stdout, stderr, env } = process
const colors = stdout.isTTY || Boolean(env.FORCE_COLOR)
process.exitCode = await createProgram({ stdout, stderr, colors }, interrupted.signal)(process.argv.slice(2))
