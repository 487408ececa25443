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
// Node would exit with 1, which means that a gate failed. If the reader has gone, such as head, the command
// ends like others by SIGPIPE.
for (const stream of [stdout, stderr])
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(128 + 13)
    if (stream === stdout) stderr.write(`stateeval: cannot write the output: ${message}\n`)
    process.exit(2)
  })
const colors = stdout.isTTY || Boolean(env.FORCE_COLOR)
const progressLines = env.STATEEVAL_PROGRESS === 'lines'

/** Reads the configuration file. Settings that the environment lacks are read from it from then on. */
async function applyConfiguration() {
  const configuration = await readConfiguration(process.cwd(), withDotEnv(checkout, env))
  Object.assign(env, configuration.environment)
  return configuration
}
process.exitCode = await createProgram(
  { stdout, stderr, colors, progressLines },
  interrupted.signal,
  undefined,
  applyConfiguration,
)(process.argv.slice(2)).catch(() => 2) // stderr is a file that cannot be written
