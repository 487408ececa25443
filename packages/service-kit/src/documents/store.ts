/** The documents of a service, by the names of their collections. */
import type { MongoStore } from '../mongo.ts'
import { type FixedDocuments, fixedDocuments } from './fixed.ts'
import { type RevisedDocuments, revisedDocuments } from './revised.ts'

export interface DocumentStore {
  fixed<T>(name: string): FixedDocuments<T>
  revised<T>(name: string): RevisedDocuments<T>
}

export const documentStoreIn = (mongo: MongoStore): DocumentStore => ({
  fixed: (name) => fixedDocuments(mongo, name),
  revised: (name) => revisedDocuments(mongo, name),
})
