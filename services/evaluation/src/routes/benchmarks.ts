/** Sets of test cases: their list, files and cases; cancelled and deleted. */
import { Readable } from 'node:stream'
import { ProblemError } from '@stateeval/contracts'
import { firstAnswer } from '@stateeval/program'
import { fillPage } from '@stateeval/service-kit'
import { usualLanguage } from '../check-options.ts'
import type { Route } from '../context.ts'
import { manifestFile } from '../flows/manifest.ts'
import { isEnded } from '../owners/owner.ts'
import { pageOf, placeOf } from '../paging.ts'
import { benchmarkResource, existingBenchmark, readyBenchmark } from '../resources.ts'

export const listBenchmarks: Route<'listBenchmarks'> = async ({ query: { limit = 50, cursor } }, context) => {
  const found = await context.owners.page('benchmark', cursor, limit + 1)
  const { items, ...rest } = pageOf(found, limit)
  const shown = await Promise.all(items.map((owner) => benchmarkResource(context, owner)))
  return { status: 200, body: { items: shown, ...rest } }
}

export const getBenchmark: Route<'getBenchmark'> = async ({ params }, context) => ({
  status: 200,
  body: await benchmarkResource(context, await existingBenchmark(context, params.id)),
})

export const getBenchmarkFile: Route<'getBenchmarkFile'> = async ({ params: { id, file } }, context) => {
  const { manifest } = await readyBenchmark(context, id)
  if (file === 'manifest.json') return { status: 200, body: manifestFile(manifest), etag: manifest.id }
  const etag = manifest.files[file] ?? manifest.id
  if (file === 'README.md') return { status: 200, body: await context.sets.readme(id), etag }
  async function* lines() {
    for (let n = 0; n < manifest.counts.kept; n++) yield `${await context.sets.line(id, n)}\n`
  }
  return { status: 200, body: Readable.from(lines()), etag }
}

export const getBenchmarkArtifact: Route<'getBenchmarkArtifact'> = async (
  { params: { id, sha256 } },
  context,
) => {
  const { manifest } = await readyBenchmark(context, id)
  // Artifacts are shared by all services; only those of the folder are given away here.
  if (!manifest.files[`artifacts/${sha256}`])
    throw new ProblemError('not-found', `the benchmark ${id} has no artifact ${sha256}`)
  const bytes = await context.artifacts.get(sha256)
  if (!bytes)
    throw new ProblemError(
      'not-found',
      `the artifact ${sha256}, which the manifest of ${id} names, is not stored here any more; import its folder again`,
    )
  return { status: 200, body: bytes, etag: sha256 }
}

export const listBenchmarkCases: Route<'listBenchmarkCases'> = async (
  { params: { id }, query: { limit = 50, cursor } },
  context,
) => {
  const { manifest } = await readyBenchmark(context, id)
  const from = placeOf(cursor)
  async function* cases() {
    for (let n = from; n < manifest.counts.kept; n++) yield await context.sets.case(id, n)
  }
  const { items, more } = await fillPage(cases(), limit)
  return { status: 200, body: { items, ...(more && { next: String(from + items.length) }) } }
}

export const getBenchmarkCase: Route<'getBenchmarkCase'> = async (
  { params: { id, case: name } },
  context,
) => {
  await readyBenchmark(context, id)
  const n = (await context.sets.ids(id)).indexOf(name)
  if (n < 0) throw new ProblemError('not-found', `the benchmark ${id} has no case ${JSON.stringify(name)}`)
  return { status: 200, body: await context.sets.case(id, n) }
}

export const getBenchmarkReference: Route<'getBenchmarkReference'> = async ({ params, query }, context) => {
  const { id, benchmark } = await readyBenchmark(context, params.id)
  const n = (await context.sets.ids(id)).indexOf(params.case)
  if (n < 0)
    throw new ProblemError('not-found', `the benchmark ${id} has no case ${JSON.stringify(params.case)}`)
  const found = await context.sets.case(id, n)
  if ('artifacts' in found) await context.artifactCache.load(found.artifacts ?? [])
  const kind = context.benchmark(benchmark)
  const { language = usualLanguage(kind) } = query
  const isKnown = kind.languages ? language !== undefined && kind.languages.includes(language) : !language
  const options = { ...(language && { language }), prompting: kind.promptings[0] ?? ('direct' as const) }
  const answer = firstAnswer(isKnown ? kind.player(found, options) : null)
  const { id: name, instruction } = found
  return { status: 200, body: { case: name, ...(language && { language }), instruction, answer } }
}

export const cancelBenchmark: Route<'cancelBenchmark'> = async ({ params: { id } }, context) => {
  await existingBenchmark(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await benchmarkResource(context, await existingBenchmark(context, id)) }
}

export const deleteBenchmark: Route<'deleteBenchmark'> = async ({ params: { id } }, context) => {
  if (!isEnded(await existingBenchmark(context, id)))
    throw new ProblemError('conflict', `the benchmark ${id} is being built; cancel it first`)
  for (const { id: active } of await context.active.page(undefined, 10_000)) {
    const evaluation = await context.owners.evaluation(active)
    if (evaluation?.benchmark === id && !isEnded(evaluation))
      throw new ProblemError('conflict', `the evaluation ${active} uses the benchmark ${id}; cancel it first`)
  }
  await context.owners.remove(id)
  await context.sets.remove(id)
  return { status: 204 }
}
