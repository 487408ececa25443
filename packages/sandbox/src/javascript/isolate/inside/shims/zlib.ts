/**
 * Compressed responses need a process. The existence of these functions determines axios's Accept-Encoding.
 */
import { bail } from '../host.ts'

export const constants = {}
export const createUnzip = () => bail('zlib')
export const createBrotliDecompress = () => bail('zlib')
export const createZstdDecompress = () => bail('zlib')
