/** The contract, generated from the routes' own schemas by building the application without listening. */
import { MongoClient } from 'mongodb'
import { createApp } from './app.ts'

/** The OpenAPI 3.1 document. Connects to nothing. */
export async function openApiOfSessionService(): Promise<object> {
  const client = new MongoClient('mongodb://127.0.0.1:27017')
  const app = createApp({ db: client.db('none'), newId: () => '', now: () => new Date(0), openapi: true })
  await app.ready()
  const document = (app as { swagger(): object }).swagger()
  await app.close()
  await client.close()
  return document
}
