/** The certificate that commands present to services that request one. */
import { readFileSync } from 'node:fs'
import { Failure } from '../command.ts'

const certificateVariable = 'STATEEVAL_CLIENT_CERT_FILE'
const keyVariable = 'STATEEVAL_CLIENT_KEY_FILE'

function read(variable: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Failure(`${variable}: ${(error as Error).message}. Name a file that can be read.`)
  }
}

/**
 * A fetch that presents the certificate of STATEEVAL_CLIENT_CERT_FILE; undefined if the variable is not
 * set.
 * @throws Failure if only one of certificate and key is set, or one cannot be read
 */
export function fetchWithCertificate(env: NodeJS.ProcessEnv = process.env): typeof fetch | undefined {
  const { [certificateVariable]: certificateFile, [keyVariable]: keyFile } = env
  if (!certificateFile && !keyFile) return undefined
  if (!certificateFile || !keyFile)
    throw new Failure(`${certificateVariable} and ${keyVariable} belong together: set both, or neither.`)
  const connect = { cert: read(certificateVariable, certificateFile), key: read(keyVariable, keyFile) }
  // Loaded where it is needed only: commands start without it.
  const loaded = import('undici').then(({ Agent, fetch }) => {
    const send: (url: string, init: object) => Promise<unknown> = fetch
    return { send, dispatcher: new Agent({ connect }) }
  })
  return async (url, init) => {
    const { send, dispatcher } = await loaded
    return (await send(String(url), { ...init, dispatcher })) as Response
  }
}
