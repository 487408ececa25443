/** The documents of a service, by the names of their collections. */
import type { MongoStore } from '../mongo.ts'
import { type FixedDocuments, openFixedDocuments } from './fixed.ts'
import { type RevisedDocuments, openRevisedDocuments } from './revised.ts'

export interface DocumentStore {
  fixed<T>(name: string): FixedDocuments<T>
  revised<T>(name: string): RevisedDocuments<T>
}

export const openDocumentStore = (mongo: MongoStore): DocumentStore => ({
  fixed: (name) => openFixedDocuments(mongo, name),
  revised: (name) => openRevisedDocuments(mongo, name),
})
