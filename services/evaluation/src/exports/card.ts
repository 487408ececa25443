/**
 * The dataset card of a benchmark: metadata for Hugging Face above the set's README, whose bytes stay
 * unchanged. JSON is valid YAML, so values are written as JSON.
 */
import type { Manifest } from '@stateeval/contracts'

/** Sizes as the Hub names them, with the number of cases from which each begins. */
const sizes: readonly [number, string][] = [
  [1_000_000, '1M<n<10M'],
  [100_000, '100K<n<1M'],
  [10_000, '10K<n<100K'],
  [1_000, '1K<n<10K'],
  [0, 'n<1K'],
]

export function formatCard(manifest: Manifest, licence: string, readme: string): string {
  const { digest, kind, seed, versions, options, counts, files } = manifest
  const metadata = {
    pretty_name: `StateEval ${kind} ${digest.slice(0, 12)}`,
    license: licence,
    language: ['en'],
    task_categories: ['text-generation'],
    tags: ['stateeval', 'benchmark', 'code', 'tool-use'],
    size_categories: [sizes.find(([from]) => counts.kept >= from)?.[1] ?? 'n<1K'],
    configs: [
      { config_name: 'cases', data_files: [{ split: 'test', path: 'data/test.parquet' }], default: true },
    ],
    stateeval: { digest, kind, seed, versions, options, counts, files },
  }
  const lines = Object.entries(metadata).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `---\n${lines.join('\n')}\n---\n${readme}`
}
