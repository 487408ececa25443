/** Named models. */
import Type from 'typebox'
import { builtInModel, exampleModel, probedModel } from '../../examples/models.ts'
import { definePage, definePageQuery } from '../../job.ts'
import { Model, ModelName, ModelSettings, modelNamePattern } from '../../model.ts'
import { defineOperations } from '../../operation.ts'

const NameParams = Type.Object({ name: ModelName })

export const modelOperations = defineOperations({
  putModel: {
    method: 'PUT',
    path: '/v1/models/:name',
    scope: 'run',
    tag: 'models',
    summary: 'Name a model',
    description:
      'Any OpenAI-compatible endpoint. Requests name the key and never contain it: the service reads it from its environment and sends it only to the hosts that the environment lists for it. Non-public hosts are blocked unless STATEEVAL_MODEL_NETWORKS lists them.',
    params: NameParams,
    body: ModelSettings,
    success: { 200: { description: 'The model', schema: Model, example: exampleModel } },
    errors: [400, 404, 409, 413, 415, 422],
    example: { baseUrl: 'http://127.0.0.1:8000/v1', model: 'qwen3-coder', parameters: { temperature: 0 } },
  },
  getModel: {
    method: 'GET',
    path: '/v1/models/:name',
    scope: 'read',
    tag: 'models',
    summary: 'A model',
    description: 'A named endpoint or a built-in model.',
    params: NameParams,
    success: { 200: { description: 'The model', schema: Model, example: exampleModel } },
    errors: [400, 404],
  },
  listModels: {
    method: 'GET',
    path: '/v1/models',
    scope: 'read',
    tag: 'models',
    summary: 'List models',
    description: 'The built-in models, then the named endpoints, sorted by name.',
    query: definePageQuery(modelNamePattern),
    success: {
      200: {
        description: 'A page',
        schema: definePage(Model),
        example: { items: [builtInModel, exampleModel] },
      },
    },
    errors: [400],
  },
  probeModel: {
    method: 'POST',
    path: '/v1/models/:name/probe',
    scope: 'run',
    work: true,
    tag: 'models',
    summary: 'Find out what a model’s endpoint does',
    description:
      'Asks a dozen cheap questions, which establish streaming, tool calls, schemas, roles, limits, marks in texts and more. Each finding is yes, no, or unknown with the reason; what is off has a sentence that names the option that mends it. The findings are stored, and requests are written accordingly. The questions are paid for like any others, and take up to two minutes.',
    params: NameParams,
    success: {
      200: { description: 'The model with its findings', schema: Model, example: probedModel },
    },
    errors: [400, 404, 409, 422],
  },
  deleteModel: {
    method: 'DELETE',
    path: '/v1/models/:name',
    scope: 'run',
    tag: 'models',
    summary: 'Delete a model',
    description: 'Running evaluations finish with their current settings.',
    params: NameParams,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404, 409],
  },
})
