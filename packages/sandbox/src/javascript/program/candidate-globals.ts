/** What every program finds as globals, in a process as in an isolate, and in this order. */
import { candidateFile } from './names.ts'

interface Given {
  variables: Record<string, unknown>
  baseUrl: string | null
}

/** The module’s own import.meta. */
export const candidateMeta = () => ({
  url: `file:///${candidateFile}`,
  filename: `/${candidateFile}`,
  dirname: '/',
})

/** @param load what the program's `require` is. */
export function candidateGlobals(
  { variables, baseUrl }: Given,
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
