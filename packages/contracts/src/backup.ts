/** Documents of a project, page by page: the content of a backup. */
import Type, { type Static } from 'typebox'

/**
 * The collections in a backup, in the order of a restore: what a document belongs to comes before it. A
 * backup reads them in this order, too, so that it is complete even if the project is in use; but it reads
 * answers and artifacts last, as all other documents name them.
 */
export const backupCollections = [
  'artifacts',
  'answers',
  'evaluation.models',
  'evaluation.webhooks',
  'evaluation.streams',
  'evaluation.stream-digests',
  'evaluation.worlds',
  'evaluation.benchmarks',
  'evaluation.cases',
  'evaluation.evaluations',
  'evaluation.results',
  'evaluation.records',
  'evaluation.reviews',
  'evaluation.comparisons',
  'evaluation.recordings',
] as const
export const CollectionName = Type.Enum(backupCollections, { type: 'string' })
export type CollectionName = (typeof backupCollections)[number]

export const BackupCollection = Type.Object(
  {
    name: CollectionName,
    documents: Type.Integer({
      minimum: 0,
      description: 'Number of stored documents; a backup leaves out artifacts that nothing in it names',
    }),
  },
  { additionalProperties: false },
)
export type BackupCollection = Static<typeof BackupCollection>

/** Each document is a line of JSON: its id and its content as text, which preserves every value. */
export const DocumentLines = Type.Array(Type.String({ minLength: 2 }), { maxItems: 1000 })

/** A document of any collection but `artifacts`. */
export const BackupDocument = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 500 }),
    text: Type.String({ minLength: 1, description: 'The content, as JSON' }),
  },
  { additionalProperties: false },
)
export type BackupDocument = Static<typeof BackupDocument>

/** An artifact has at most 512 MiB, and a little more where it cannot be compressed. */
const maxChunks = 513
/** A part of an artifact, whose bytes are compressed with gzip and cut into pieces of 1 MiB. */
export const BackupChunk = Type.Object(
  {
    id: Type.String({
      pattern: `^[0-9a-f]{64}:(0|[1-9][0-9]{0,2})$`,
      description: 'SHA-256 of the artifact, and the number of the piece, from 0',
    }),
    of: Type.Integer({ minimum: 1, maximum: maxChunks, description: 'Number of pieces' }),
    data: Type.String({
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      maxLength: Math.ceil(2 ** 20 / 3) * 4,
      description: 'The bytes in base64',
    }),
  },
  { additionalProperties: false },
)
export type BackupChunk = Static<typeof BackupChunk>

export const BackupPage = Type.Object(
  {
    items: DocumentLines,
    next: Type.Optional(Type.String({ description: 'The cursor of the next page' })),
  },
  { additionalProperties: false },
)
export type BackupPage = Static<typeof BackupPage>

export const RestoreRequest = Type.Object(
  { collection: CollectionName, documents: DocumentLines },
  { additionalProperties: false },
)

export const RestoreResult = Type.Object(
  {
    inserted: Type.Integer(),
    present: Type.Integer({ description: 'Documents that already existed, equal to those sent' }),
    leftOut: Type.Integer({
      description:
        'Documents that were not stored because they belong to nothing in the project, such as samples of an evaluation that began while the backup was made',
    }),
  },
  { additionalProperties: false },
)
export type RestoreResult = Static<typeof RestoreResult>

/** manifest.json of a backup's folder. */
export const BackupManifest = Type.Object(
  {
    backup: Type.Union([Type.Literal(1), Type.Literal(2)], {
      description: '1: a backup of an earlier version, with further collections and other lines',
    }),
    project: Type.String(),
    madeAt: Type.String(),
    files: Type.Array(
      Type.Object(
        {
          file: Type.String({ pattern: '^[A-Za-z.-]+\\.jsonl$' }),
          collection: Type.String(),
          documents: Type.Integer({ minimum: 0 }),
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type BackupManifest = Static<typeof BackupManifest>
