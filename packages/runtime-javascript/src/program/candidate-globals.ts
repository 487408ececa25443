/** The globals of every program, in this order. */
import { candidateFile } from './names.ts'

interface GivenGlobals {
  variables: Record<string, unknown>
  baseUrl: string | null
}

/** The module’s own import.meta. */
export const createImportMeta = () => ({
  url: `file:///${candidateFile}`,
  filename: `/${candidateFile}`,
  dirname: '/',
})

/** @param load the program's `require`. */
export function createCandidateGlobals(
  { variables, baseUrl }: GivenGlobals,
  load: (name: unknown) => unknown,
): Record<string, unknown> {
  const module = { exports: {} }
  return {
    ...variables,
    ...(baseUrl !== null && { BASE_URL: baseUrl }),
    RESULT: undefined,
    require: load,
    module,
    exports: module.exports,
    __filename: `/${candidateFile}`,
    __dirname: '/',
  }
}
