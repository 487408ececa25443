/**
 * The installation that this machine's environment or home folder names, and the passphrase of its backups.
 */
import type { InstallationAddress, ServerAccessError } from '@stateeval/local-servers/installation'
import { Failure } from '../command.ts'
import { deriveNamespace, withDotEnv } from './environment.ts'
import { checkout } from './home.ts'
import { readState } from './state.ts'

/**
 * Opens the store of the installation: the user's servers, or those that `up` has started.
 * @throws Failure if neither is known
 */
export function openInstallation(
  home: string,
  env: NodeJS.ProcessEnv = withDotEnv(checkout, process.env),
): InstallationAddress {
  const { MONGODB_URI, NATS_URL } = env
  const state = readState(home)
  const started = Object.assign({}, ...(state?.parts ?? []).map(({ urls }) => urls)) as Record<string, string>
  const mongodb = MONGODB_URI ?? started['mongodb']
  const nats = NATS_URL ?? started['nats']
  if (!mongodb || !nats)
    throw new Failure(
      'No servers are known. Set MONGODB_URI and NATS_URL (and STATEEVAL_NAMESPACE) as the services have them, or run `npx stateeval up`.',
    )
  return {
    mongodb,
    nats: { ...env, NATS_URL: nats },
    namespace: state?.namespace ?? deriveNamespace(home, env),
  }
}

/** How to mend the access to a server. */
const remedies: Record<ServerAccessError['server'], string> = {
  MongoDB:
    'Check MONGODB_URI: its address, and a user such as backup of deploy/mongodb/users.js; a restore takes one who may write every document.',
  NATS: 'Check NATS_URL and the credentials of a user with all rights, such as operator of deploy/nats: NATS_USER and NATS_PASSWORD, NATS_NKEY_FILE or NATS_CREDENTIALS_FILE, and NATS_CA_FILE for TLS.',
}

/**
 * Explains an error of an installation's servers or files as a Failure; returns any other error unchanged.
 */
export async function installationFailure(error: unknown): Promise<unknown> {
  const { SealedFileError, ServerAccessError } = await import('@stateeval/local-servers/installation')
  if (error instanceof ServerAccessError) return new Failure(`${error.message}. ${remedies[error.server]}`)
  return error instanceof SealedFileError ? new Failure(`${error.message}.`) : error
}

/** @throws Failure if there is none, or it is too short */
export function readBackupPassphrase(): string {
  const { STATEEVAL_BACKUP_PASSPHRASE: passphrase = '' } = withDotEnv(checkout, process.env)
  if (passphrase.length < 20)
    throw new Failure(
      'Set STATEEVAL_BACKUP_PASSPHRASE to at least 20 characters, for example from `openssl rand -base64 30`. Keep it apart from the backups.',
    )
  return passphrase
}
