/** World models from outside: both stored forms are there, and are the same model. */
import { ProblemError, Sha256, WorldDocument, WorldModelResource } from '@stateeval/contracts'
import { closedObject, formOf, requireForm, throwDocumentFault } from '@stateeval/administration'
import Type from 'typebox'
import { readWorld, type StoredWorld } from '../../worlds.ts'
import { type ArtifactChecks, checkArtifact } from './artifacts.ts'

const { title, types, operations, callable, createdAt } = WorldModelResource.properties
const WorldForm = formOf<StoredWorld>()(
  Type.Object(
    { title, types, operations, callable, model: Sha256, document: Sha256, createdAt },
    closedObject,
  ),
)

export async function checkWorld(context: ArtifactChecks, id: string, value: unknown): Promise<StoredWorld> {
  const world = requireForm(WorldForm, value)
  if (world.model !== id) throwDocumentFault('/model', `must be ${id}, the document’s id`)
  await checkArtifact(context, '/model', id, 'world')
  const bytes = await checkArtifact(context, '/document', world.document, 'world')
  const { hash } = readDocument(JSON.parse(Buffer.from(bytes).toString('utf8')) as WorldDocument)
  if (hash !== id) throwDocumentFault('/document', `is the model of another digest: sha256:${hash}`)
  return world
}

function readDocument(document: WorldDocument) {
  try {
    return readWorld(document)
  } catch (error) {
    throw error instanceof ProblemError ? throwDocumentFault('/document', error.message) : error
  }
}
