import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { openApiOfSessionService } from '../openapi.ts'

const file = join(import.meta.dirname, '../../../../openapi/session-service.yaml')
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('the contract is what the routes say (node scripts/openapi-session-service.ts writes it anew)', async () => {
  expect(parse(readFileSync(file, 'utf8'))).toEqual(plain(await openApiOfSessionService()))
})

test('every operation has an id, a description, an answer and its errors', async () => {
  const { paths } = (await openApiOfSessionService()) as {
    paths: Record<string, Record<string, Record<string, object>>>
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  // A file of routes/ is an operation of the same name.
  const files = readdirSync(join(import.meta.dirname, '../routes')).filter((name) => name !== 'index.ts')
  const ids = files.map((name) =>
    basename(name, '.ts').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  )
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(ids.sort())
  for (const operation of operations) {
    expect(operation).toMatchObject({ summary: expect.any(String), description: expect.any(String) })
    expect(Object.keys(operation['responses'] ?? {})).toEqual(
      expect.arrayContaining(['200', '405', '500', '503']),
    )
  }
})
