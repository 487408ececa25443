/**
 * Keys of the installation, by name: made by whoever needs one first, and the same for all replicas. They
 * belong to no project, so the backup of a project does not hold them.
 */
import { randomBytes } from 'node:crypto'
import { inserted, type Mongo } from '@stateeval/service-kit'

/** Gives a key of 256 bits. */
export type InstallationKey = () => Promise<Buffer>

export function installationKey(mongo: Pick<Mongo, 'ofInstallation'>, name: string): InstallationKey {
  const secrets = mongo.ofInstallation<{ _id: string; key: string }>('access.secrets')
  let key: Buffer | undefined
  return async () => {
    if (key) return key
    let secret = await secrets.findOne({ _id: name })
    if (!secret) {
      await inserted(secrets.insertOne({ _id: name, key: randomBytes(32).toString('base64') }))
      secret = await secrets.findOne({ _id: name })
    }
    if (!secret) throw new Error(`the key ${name} was stored but cannot be found`)
    return (key = Buffer.from(secret.key, 'base64'))
  }
}
