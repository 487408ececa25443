/**
 * Jest's transform: Node's own type stripping, as the sources run. Positions stay, so there is no source map
 * to make.
 */
import { createHash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
  getCacheKey: (source) => createHash('sha256').update(process.version).update(source).digest('hex'),
}
