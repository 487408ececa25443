/** The files of a benchmark folder. Pure. */
import { canonicalJson, contentId, type Manifest, sha256 } from '@stateeval/contracts'

export const casesFile = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
/** manifest.json as it stands in the folder. */
export const manifestFile = (manifest: Manifest) =>
  `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`

/** @param artifacts what the cases name, by hash: each is a file of the folder. */
export function manifestOf(
  parts: Omit<Manifest, 'schema' | 'id' | 'files'>,
  files: Readonly<Record<string, string>>,
  artifacts: readonly string[] = [],
): Manifest {
  const rest = {
    schema: 1 as const,
    ...parts,
    files: Object.fromEntries([
      ...Object.entries(files).map(([name, text]) => [name, sha256(text)]),
      ...artifacts.map((hash) => [`artifacts/${hash}`, hash]),
    ]) as Record<string, string>,
  }
  return { ...rest, id: contentId(rest) }
}

/** The id that a manifest should have. */
export function idOf({ id: _, ...rest }: Manifest): string {
  return contentId(rest)
}
