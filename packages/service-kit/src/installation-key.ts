/**
 * Named keys of the installation. The first user creates a key, and all replicas share it. Keys belong to
 * no project, so a project's backup does not contain them.
 */
import { randomBytes } from 'node:crypto'
import { waitForInsert, type MongoStore } from './mongo.ts'

/** Returns a key of 256 bits. */
export type InstallationKey = () => Promise<Buffer>

export function openInstallationKey(
  mongo: Pick<MongoStore, 'ofInstallation'>,
  name: string,
): InstallationKey {
  const secrets = mongo.ofInstallation<{ _id: string; key: string }>('access.secrets')
  let key: Buffer | undefined
  return async () => {
    if (key) return key
    let secret = await secrets.findOne({ _id: name })
    if (!secret) {
      await waitForInsert(secrets.insertOne({ _id: name, key: randomBytes(32).toString('base64') }))
      secret = await secrets.findOne({ _id: name })
    }
    if (!secret) throw new Error(`the key ${name} was stored but cannot be found`)
    return (key = Buffer.from(secret.key, 'base64'))
  }
}
