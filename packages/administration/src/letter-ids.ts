/**
 * Ids of dead letters. The stream numbers the letters of all projects together, so plain numbers would
 * reveal to a project how much fails elsewhere. An id is the encrypted number and project: constant for a
 * letter, and meaningless without the installation's key.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { getCurrentProject, openInstallationKey, type MongoStore } from '@stateeval/service-kit'

export interface LetterIds {
  /** The id of the letter at this place of the stream, in the current project. */
  idOf(sequence: number): Promise<string>
  /** The place; null where the text is no id of the current project. */
  placeOf(id: string): Promise<number | null>
}

/** AES on a single block, which no two letters share: the number, then a mark of the project. */
const cipher = 'aes-256-ecb'
const computeMark = (project: string) =>
  createHash('sha256').update(`dead letters of ${project}`).digest().subarray(0, 8)

export function openLetterIds(mongo: Pick<MongoStore, 'ofInstallation'>): LetterIds {
  const keyOf = openInstallationKey(mongo, 'dead-letter-ids')
  return {
    async idOf(sequence) {
      const block = Buffer.concat([Buffer.alloc(8), computeMark(getCurrentProject())])
      block.writeBigUInt64BE(BigInt(sequence))
      const sealing = createCipheriv(cipher, await keyOf(), null).setAutoPadding(false)
      return Buffer.concat([sealing.update(block), sealing.final()]).toString('hex')
    },
    async placeOf(id) {
      const sealed = Buffer.from(id, 'hex')
      if (sealed.length !== 16) return null
      const opening = createDecipheriv(cipher, await keyOf(), null).setAutoPadding(false)
      const block = Buffer.concat([opening.update(sealed), opening.final()])
      return block.subarray(8).equals(computeMark(getCurrentProject()))
        ? Number(block.readBigUInt64BE())
        : null
    },
  }
}
