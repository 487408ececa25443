/** The forms of artifacts, by what they are for. Pure, as a thread checks large ones. */
import {
  GivenAnswer,
  defineRecord,
  ReportResult,
  ReportRun,
  WorldDocument,
  findSchemaFault,
  type SchemaFault,
} from '@stateeval/contracts'
import Type, { type TSchema } from 'typebox'
import {
  Entries,
  GenerationForm,
  OpinionForm,
  ProgramForm,
  RecordForm,
  SampleForm,
  WritingForm,
} from './outcomes.ts'
import { closedObject, Count, readJson } from '@stateeval/administration/form'

const { samples: _, ...figures } = ReportResult.properties

export const artifactForms = {
  report: ReportResult,
  figures: Type.Object(figures, closedObject),
  usedByCase: ReportRun.properties.cases,
  answers: Type.Array(GivenAnswer),
  prompt: Type.String(),
  places: Type.Array(Count),
  bundle: Type.Object({ specification: Type.String(), prompts: defineRecord(Type.String()) }, closedObject),
  entries: Entries,
  sample: SampleForm,
  opinion: OpinionForm,
  program: ProgramForm,
  generation: GenerationForm,
  writing: WritingForm,
  record: RecordForm,
  world: WorldDocument,
} as const satisfies Record<string, TSchema>
export type ArtifactForm = keyof typeof artifactForms

/** Finds the fault of an artifact's bytes in that form; null where there is none. */
export function findArtifactFault(form: ArtifactForm, bytes: Uint8Array): SchemaFault | null {
  const read = readJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return 'value' in read ? findSchemaFault(artifactForms[form], read.value) : read
}
