/** Compressed answers need a process. That these exist decides what axios says it accepts. */
import { bail } from '../host.ts'

export const constants = {}
export const createUnzip = () => bail('zlib')
export const createBrotliDecompress = () => bail('zlib')
export const createZstdDecompress = () => bail('zlib')
