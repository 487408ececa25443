import { ProblemError, sha256 } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { idOf } from '../flows/manifest.ts'
import { storeImport } from '../store-import.ts'

export const importDataset: Route<'importDataset'> = async ({ body: { benchmark, files } }, context) => {
  const make = context.findBenchmark(benchmark)
  if (!make?.fromDataset)
    throw new ProblemError(
      'unprocessable',
      `there is no published data for ${JSON.stringify(benchmark)}`,
      '/benchmark',
    )
  const { lines, artifacts, about, readme, warnings } = make.fromDataset(files)
  const rest = {
    schema: 1 as const,
    benchmark,
    ...about,
    files: {
      'cases.jsonl': sha256(lines.map((line) => `${line}\n`).join('')),
      'README.md': sha256(readme),
      ...Object.fromEntries(Object.keys(artifacts).map((hash) => [`artifacts/${hash}`, hash])),
    },
  }
  const manifest = { ...rest, id: idOf({ ...rest, id: '' }) }
  const ids = lines.map((line) => make.parse(line).id)
  return storeImport(context, { manifest, lines, ids, readme, artifacts: Object.values(artifacts), warnings })
}
