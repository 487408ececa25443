/** What several groups of operations take. */
import Type from 'typebox'
import { IdParams } from '../../job.ts'

export const CaseParams = Type.Object({
  id: IdParams.properties.id,
  case: Type.String({ minLength: 1, maxLength: 200 }),
})

/** A folder of this size in one body; larger sets come with chunked uploads. */
export const folderLimit = 256 * 2 ** 20
