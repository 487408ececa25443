/** Parameters that several groups of operations share. */
import Type from 'typebox'
import { IdParams } from '../../job.ts'

export const CaseParams = Type.Object({
  id: IdParams.properties.id,
  case: Type.String({ minLength: 1, maxLength: 200 }),
})

/** The maximum size of a folder in one body. */
export const folderLimit = 256 * 2 ** 20
