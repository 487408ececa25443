/**
 * The operations of translation: programs to verified instructions, and instructions checked against
 * programs.
 */
import { exampleTranslation, queuedTranslation } from '../examples/translations.ts'
import { IdParams, defineIdQuery, definePage } from '../job.ts'
import { defineOperations } from '../operation.ts'
import { exampleProgram } from '../program.ts'
import { Translation, TranslationRequest, VerifyRequest, VerifyResult } from '../translation.ts'

const buildReference = (variable: string, ...path: string[]) =>
  ({ kind: 'reference', variable, path }) as const
const [listing] = exampleProgram.body
const program = {
  ...exampleProgram,
  variables: [
    {
      name: 'user_variable_0',
      role: 'user',
      values: [{ source: 'portal', type: 'settings', data: { title: 'Mine' } }],
    },
  ],
  body: [
    {
      ...listing,
      args: {
        source: buildReference('user_variable_0', 'source'),
        type: buildReference('user_variable_0', 'type'),
      },
    },
  ],
  result: [{ key: 'listing', value: buildReference('response_0') }],
} as const
const instruction =
  'List the sessions with the source and type of `user_variable_0`. Set RESULT to an object whose only key, `listing`, holds that listing.'

export const translationOperations = defineOperations({
  createTranslation: {
    method: 'POST',
    path: '/v1/translations',
    scope: 'run',
    work: true,
    tag: 'translations',
    summary: 'Translate programs to instructions',
    description:
      'Takes one program or a batch; each program names its scenario. Every instruction is verified: a parser that sees only the instruction, the scenario’s phrases and the variables’ names finds exactly one reading, the program. A program without such an instruction is rejected with the reason. Small requests return the instructions (201); larger ones become a job (202).',
    body: TranslationRequest,
    bodyLimit: 16 * 2 ** 20,
    success: {
      201: {
        description: 'Done. Location has the URL of the translation',
        schema: Translation,
        example: exampleTranslation,
      },
      202: {
        description: 'Accepted. Location has the URL of the translation',
        schema: Translation,
        example: queuedTranslation,
      },
    },
    errors: [400, 409, 413, 415, 422, 429],
    example: { program, translator: 'template', seed: 1 },
  },
  listTranslations: {
    method: 'GET',
    path: '/v1/translations',
    scope: 'read',
    tag: 'translations',
    summary: 'List translations',
    description: 'Sorted by id, page by page.',
    query: defineIdQuery('trl'),
    success: {
      200: {
        description: 'A page',
        schema: definePage(Translation),
        example: { items: [exampleTranslation] },
      },
    },
    errors: [400],
  },
  getTranslation: {
    method: 'GET',
    path: '/v1/translations/:id',
    scope: 'read',
    tag: 'translations',
    summary: 'Get a translation',
    description: 'The status, the progress, and the instructions so far.',
    params: IdParams,
    success: { 200: { description: 'The translation', schema: Translation, example: exampleTranslation } },
    errors: [400, 404],
  },
  verifyTranslation: {
    method: 'POST',
    path: '/v1/translations/verify',
    scope: 'run',
    tag: 'translations',
    summary: 'Compare an instruction with a program',
    description:
      'Reads the instruction with the template translator’s parser and compares every reading with the program.',
    body: VerifyRequest,
    bodyLimit: 4 * 2 ** 20,
    success: {
      200: {
        description: 'Its readings',
        schema: VerifyResult,
        example: { readings: 1, verified: true },
      },
    },
    errors: [400, 413, 415, 422],
    example: { program, instruction },
  },
})
