/** World models, by the digest of what they predict. */
import {
  formatWorldId,
  ProblemError,
  type WorldDocument,
  type WorldModelResource,
} from '@stateeval/contracts'
import type { ProjectArtifacts, RevisedDocuments } from '@stateeval/service-kit'
import type { StoredWorld } from '../worlds.ts'
import type { OperationRoute } from './route.ts'

interface WorldStore {
  /** By the hash of the digest. */
  worlds: RevisedDocuments<StoredWorld>
  artifacts: Pick<ProjectArtifacts, 'put' | 'getJson'>
}

const describeWorld = (
  hash: string,
  { model: _model, document: _document, ...about }: StoredWorld,
): WorldModelResource => ({
  digest: `sha256:${hash}`,
  scenario: formatWorldId(hash),
  ...about,
  links: { self: `/v1/worlds/sha256:${hash}` },
})
const readHash = (digest: string) => digest.slice('sha256:'.length)
const createMissingError = (digest: string) =>
  new ProblemError('not-found', `there is no world model ${digest}; POST /v1/worlds stores one`)

export const createWorldModel: OperationRoute<'createWorldModel', WorldStore & { now: () => Date }> = async (
  { body: { hash, canonical, document, ...about } },
  { worlds, artifacts, now },
) => {
  const previous = await worlds.get(hash)
  const stored: StoredWorld = {
    ...about,
    model: await artifacts.put(Buffer.from(canonical)),
    document: await artifacts.put(Buffer.from(document)),
    createdAt: previous?.createdAt ?? now().toISOString(),
  }
  await worlds.replace(hash, stored)
  const resource = describeWorld(hash, stored)
  return { status: 201, body: resource, headers: { location: resource.links['self']! } }
}

export const listWorldModels: OperationRoute<'listWorldModels', WorldStore> = async (
  { query: { limit = 50, cursor } },
  { worlds },
) => {
  const entries = await worlds.page(cursor, limit + 1)
  const items = entries.slice(0, limit)
  const next = entries.length > limit ? items.at(-1)?.id : undefined
  return {
    status: 200,
    body: {
      items: items.map(({ id, value }) => describeWorld(id, value)),
      ...(next !== undefined && { next }),
    },
  }
}

export const getWorldModel: OperationRoute<'getWorldModel', WorldStore> = async (
  { params: { digest } },
  { worlds, artifacts },
) => {
  const hash = readHash(digest)
  const stored = await worlds.get(hash)
  if (!stored) throw createMissingError(digest)
  const model = (await artifacts.getJson(stored.document)) as WorldDocument
  return { status: 200, body: { ...describeWorld(hash, stored), model } }
}

export const deleteWorldModel: OperationRoute<'deleteWorldModel', WorldStore> = async (
  { params: { digest } },
  { worlds },
) => {
  if (!(await worlds.remove(readHash(digest)))) throw createMissingError(digest)
  return { status: 204 }
}
