/**
 * Artifacts that restored documents name: they are there, undamaged, and have the form that their readers
 * expect.
 */
import type { JobPayload } from '@stateeval/contracts'
import { type ProjectArtifacts, type ThreadPool } from '@stateeval/service-kit'
import { type ArtifactForm, findArtifactFault, artifactForms } from './artifact-forms.ts'
import { throwDocumentFault, requireForm } from '@stateeval/administration/form'

export interface ArtifactChecks {
  artifacts: Pick<ProjectArtifacts, 'get'>
  threads: ThreadPool
}
/** A task of the thread. */
export interface ArtifactTask {
  form: ArtifactForm
  bytes: Uint8Array
}

/** Larger ones are checked in a thread. */
const maxInPlace = 256 * 1024

async function loadArtifactBytes(
  { artifacts }: ArtifactChecks,
  field: string,
  hash: string,
): Promise<Uint8Array> {
  const bytes = await artifacts
    .get(hash)
    .catch((error: unknown) =>
      throwDocumentFault(field, error instanceof Error ? error.message : String(error)),
    )
  return (
    bytes ??
    throwDocumentFault(field, `names the artifact ${hash}, which is not there; restore artifacts first`)
  )
}

/** Throws a fault that names the field; gives the bytes. */
export async function checkArtifact(
  context: ArtifactChecks,
  field: string,
  hash: string,
  form: ArtifactForm,
): Promise<Uint8Array> {
  const bytes = await loadArtifactBytes(context, field, hash)
  const found =
    bytes.length <= maxInPlace
      ? findArtifactFault(form, bytes)
      : await context.threads.run<ReturnType<typeof findArtifactFault>>('findThreadArtifactFault', {
          form,
          bytes,
        } satisfies ArtifactTask)
  if (found)
    throwDocumentFault(field, `names the artifact ${hash}, whose ${found.field || 'content'} ${found.says}`)
  return bytes
}

/** The value of a payload in the form; an artifact is in the form. */
export async function loadPayload(
  context: ArtifactChecks,
  field: string,
  payload: JobPayload,
  form: ArtifactForm,
): Promise<unknown> {
  if ('inline' in payload) return requireForm(artifactForms[form], payload.inline, `${field}/inline`)
  const bytes = await checkArtifact(context, `${field}/artifact`, payload.artifact, form)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
}
