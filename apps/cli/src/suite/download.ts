/** The files of a set, as the manifest lists them, ready to be written as a folder. */
import type { Manifest } from '@stateeval/contracts'
import { evaluation } from './index.ts'

export async function download(id: string, manifest: Manifest): Promise<Record<string, string | Uint8Array>> {
  const client = evaluation()
  const files: Record<string, string | Uint8Array> = {}
  for (const file of ['manifest.json', 'cases.jsonl', 'README.md'] as const)
    if (file === 'manifest.json' || manifest.files[file]) files[file] = await client.getBenchmarkFile({ params: { id, file } })
  for (const path of Object.keys(manifest.files).filter((name) => name.startsWith('artifacts/')))
    files[path] = await client.getBenchmarkArtifact({ params: { id, sha256: path.slice('artifacts/'.length) } })
  return files
}
