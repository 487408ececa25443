/** A project as documents, page by page: the content of a backup. */
import Type, { type Static } from 'typebox'

/**
 * The collections in a backup: those of the services, and shared ones. The audit log stays in its
 * installation.
 */
export const collectionPattern =
  '^(artifacts|answers|[a-z-]{1,40}\\.[A-Za-z.-]{1,80}|idempotency[a-z-]{0,20})$'
export const CollectionName = Type.String({ pattern: collectionPattern })

export const BackupCollection = Type.Object(
  { name: CollectionName, documents: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false },
)
export type BackupCollection = Static<typeof BackupCollection>

/** Each document is a line of canonical Extended JSON, which preserves every value's type. */
export const DocumentLines = Type.Array(Type.String({ minLength: 2 }), { maxItems: 1000 })

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

export const Restored = Type.Object(
  {
    inserted: Type.Integer(),
    present: Type.Integer({ description: 'Documents that already existed, equal to those sent' }),
  },
  { additionalProperties: false },
)
export type Restored = Static<typeof Restored>

/** manifest.json of a backup's folder. */
export const BackupManifest = Type.Object(
  {
    backup: Type.Literal(1),
    project: Type.String(),
    madeAt: Type.String(),
    files: Type.Array(
      Type.Object(
        {
          file: Type.String({ pattern: '^[A-Za-z.-]+\\.jsonl$' }),
          collection: CollectionName,
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
