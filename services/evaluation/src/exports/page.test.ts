/** The page of an evaluation that is still running. */
import { gunzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import type { SampleRow } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { storedEvaluation, storedItems } from '../../test/stored.ts'
import { writePage, type PageAsked, type PageSources } from './page.ts'

/** Samples of which some have not ended. */
function running(total: number, open: Set<number>): PageSources {
  const outcome = (place: number) => ({
    scored: { case: `c${place}`, sample: 0, score: null, notScored: 'x' },
  })
  return partial<PageSources>({
    ...storedItems([], { items: total - open.size } as never),
    results: {
      many: async (ids) =>
        ids.map((id) => {
          const place = Number(id.split('/').at(-1))
          return open.has(place) ? null : { counts: {}, payload: { inline: outcome(place) } }
        }),
    },
    artifacts: {
      unpack: async (payload) => (payload as { inline: never }).inline,
      put: async () => 'texts',
      putJson: async () => 'rows',
      getJson: async () => Array.from({ length: 500 }, () => null) as never,
    },
    sampleChunks: { many: async (ids) => ids.map(() => null), put: async () => true },
    owners: { benchmark: async () => null },
    chunkCache: async (_key, make) => make(),
  })
}

const rowsIn = (piece: string): SampleRow[] => {
  const [, data = ''] = /class="rows"[^>]*>([^<]*)</.exec(piece) ?? []
  return data === '' ? [] : (JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString()) as SampleRow[])
}

test('a sample that ends while the page is written moves no other to where it is read again', async () => {
  const total = 5_600
  // Each chunk has one that has not ended, so all of them are made from their samples.
  const open = new Set(Array.from({ length: 12 }, (_, n) => n * 500))
  const owner = storedEvaluation(
    { baseUrl: 'http://x', model: 'x' },
    { stages: { samples: { total, partitions: 1 } } },
  )
  const places: number[] = []
  const asked = partial<PageAsked>({ frame: ['', ''], samples: 'none' })
  for await (const piece of writePage(running(total, open), owner, asked)) {
    const rows = rowsIn(piece)
    if (rows.length > 0) open.delete(500)
    places.push(...rows.map(({ place }) => place))
  }
  expect(places).toHaveLength(total - 12)
  expect(new Set(places).size).toBe(places.length)
})
