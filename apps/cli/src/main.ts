import { readConfiguration } from './configuration/file.ts'
import { withDotEnv } from './local/environment.ts'
import { checkout } from './local/home.ts'
import { createProgram } from './program.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort()
  setTimeout(() => process.exit(130), 2_000).unref()
})
const { stdout, stderr, env } = process
// Who reads the output has gone, such as head: the end by SIGPIPE, as of other commands.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(128 + 13)
})
const colors = stdout.isTTY || Boolean(env.FORCE_COLOR)
const progressLines = env.STATEEVAL_PROGRESS === 'lines'

/** What the file says, and the environment does not, is read like the environment from then on. */
async function configure() {
  const configuration = await readConfiguration(process.cwd(), withDotEnv(checkout, env))
  Object.assign(env, configuration.environment)
  return configuration
}
process.exitCode = await createProgram(
  { stdout, stderr, colors, progressLines },
  interrupted.signal,
  undefined,
  configure,
)(process.argv.slice(2))
