/** World models: any API as a scenario. */
import { exampleWorldModel, exampleWorldModelResource } from '../../examples/worlds.ts'
import { definePage, definePageQuery } from '../../job.ts'
import { defineOperations } from '../../operation.ts'
import { WorldDocument, WorldModelDetail, WorldModelResource, WorldParams } from '../../world.ts'

export const worldOperations = defineOperations({
  createWorldModel: {
    method: 'POST',
    path: '/v1/worlds',
    scope: 'run',
    tag: 'worlds',
    summary: 'Store a world model',
    description:
      'Checks a model of an API and stores it under its digest. Its scenario can be named wherever a scenario is: builds, streams, generations. Models that predict the same have the same digest; the last one’s reasons are kept.',
    body: WorldDocument,
    bodyLimit: 8 * 2 ** 20,
    bodyParts: 1_000_000,
    success: {
      201: {
        description: 'Stored. Location has the URL of the resource',
        schema: WorldModelResource,
        example: exampleWorldModelResource,
      },
    },
    errors: [400, 413, 415, 422],
    example: exampleWorldModel,
  },
  listWorldModels: {
    method: 'GET',
    path: '/v1/worlds',
    scope: 'read',
    tag: 'worlds',
    summary: 'List world models',
    description: 'Sorted by digest, page by page.',
    query: definePageQuery('^[0-9a-f]{64}$'),
    success: {
      200: {
        description: 'A page',
        schema: definePage(WorldModelResource),
        example: { items: [exampleWorldModelResource] },
      },
    },
    errors: [400],
  },
  getWorldModel: {
    method: 'GET',
    path: '/v1/worlds/:digest',
    scope: 'read',
    tag: 'worlds',
    summary: 'A world model',
    description: 'The model with its reasons, as it was stored last.',
    params: WorldParams,
    success: {
      200: {
        description: 'The world model',
        schema: WorldModelDetail,
        example: { ...exampleWorldModelResource, model: exampleWorldModel },
      },
    },
    errors: [400, 404],
  },
  deleteWorldModel: {
    method: 'DELETE',
    path: '/v1/worlds/:digest',
    scope: 'run',
    tag: 'worlds',
    summary: 'Delete a world model',
    description: 'Benchmarks that were built from it keep working: each holds the model.',
    params: WorldParams,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404],
  },
})
