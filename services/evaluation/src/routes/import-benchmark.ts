import type { Route } from '../context.ts'
import { readFolder } from '../import-folder.ts'
import { storeImport } from '../store-import.ts'

export const importBenchmark: Route<'importBenchmark'> = async ({ body }, context) => {
  const { manifest, readme = '' } = body
  return storeImport(context, { manifest, readme, ...readFolder(body, context.findBenchmark) })
}
