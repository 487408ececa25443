/** Inserts that meet, on a collection in memory that says what a server would. */
import { expect, test } from '@jest/globals'
import { type BulkWriteResult, MongoBulkWriteError } from 'mongodb'
import { insertTogether } from '../src/insert-together.ts'

interface Thing {
  _id: string
}
const failure = (code: number) => Object.assign(new Error(`code ${code}`), { code })

/** `fault` says what is wrong with a document, besides being there already. */
function collectionOf(fault: (id: string) => Error | null = () => null) {
  const documentIds: string[] = []
  const commands: number[] = []
  const take = ({ _id }: Thing): (Error & { code?: number }) | null => {
    const wrong = fault(_id) ?? (documentIds.includes(_id) ? failure(11_000) : null)
    if (!wrong) documentIds.push(_id)
    return wrong
  }
  const answer = () => new Promise((resolve) => setImmediate(resolve))
  const collection = {
    async insertOne(document: Thing) {
      commands.push(1)
      await answer()
      const wrong = take(document)
      if (wrong) throw wrong
    },
    async insertMany(documents: Thing[]) {
      commands.push(documents.length)
      await answer()
      const faults = documents.flatMap((document, index) => {
        const wrong = take(document)
        return wrong ? [Object.assign(wrong, { index })] : []
      })
      for (const one of faults) if (one.code === undefined) throw one as Error
      if (faults.length > 0)
        throw new MongoBulkWriteError(
          { message: 'some failed', code: 11_000, writeErrors: faults as never },
          {} as BulkWriteResult,
        )
    },
  }
  return { documentIds, commands, insert: insertTogether(collection) }
}

test('those that come while one is written go together, and each is told whether it was the first', async () => {
  const { insert, commands, documentIds } = collectionOf()
  const first = ['a', 'b', 'a', 'c', 'b'].map((_id) => insert({ _id }))
  expect(await Promise.all(first)).toEqual([true, true, false, true, false])
  expect(commands).toEqual([1, 4])
  expect(await insert({ _id: 'c' })).toBe(false)
  expect(documentIds).toEqual(['a', 'b', 'c'])
})

test('a document that fails takes no other along', async () => {
  const { insert, documentIds } = collectionOf((id) => (id === 'bad' ? failure(121) : null))
  const ends = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((_id) => insert({ _id })))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(documentIds).toEqual(['a', 'b', 'c'])
})

test('a server that goes away fails those that it did not take; the next are written again', async () => {
  let away = true
  const { insert, documentIds } = collectionOf(() => (away ? new Error('away') : null))
  const ends = await Promise.allSettled(['a', 'b', 'c'].map((_id) => insert({ _id })))
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
  away = false
  expect(await Promise.all(['a', 'b'].map((_id) => insert({ _id })))).toEqual([true, true])
  expect(documentIds).toEqual(['a', 'b'])
})
