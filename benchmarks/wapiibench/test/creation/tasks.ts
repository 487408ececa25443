/** What a good model would write for the shop, and what others write. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const shopText = readFileSync(join(import.meta.dirname, 'shop.yaml'), 'utf8')
export const stockText = readFileSync(join(import.meta.dirname, 'stock.json'), 'utf8')

export interface Written {
  endpoint: string
  task: string
  config: { url: string; method: string; headers?: object; params?: object; data?: object }
}
const at = 'https://eu.shop.example/v1'
const Accept = 'application/json, text/plain, */*'
const headers = { Accept, Authorization: 'Bearer <token>' }
const article = '123e4567-e89b-12d3-a456-426614174000'

export const shopTasks: readonly Written[] = [
  {
    endpoint: 'GET /orders',
    task: 'List the first 20 orders that are paid, of those tagged "gift".',
    config: {
      url: `${at}/orders`,
      method: 'get',
      headers,
      params: { limit: 20, state: 'paid', tags: ['gift'] },
    },
  },
  {
    endpoint: 'POST /orders',
    task: `Place an order of Ishmael for 2 of the article ${article}, to be delivered on 2026-12-24, paid by Ahab’s card 4242.`,
    config: {
      url: `${at}/orders`,
      method: 'post',
      headers: { ...headers, 'Content-Type': 'application/json' },
      data: {
        customer: 'Ishmael',
        lines: [{ article, count: 2 }],
        deliver: '2026-12-24',
        payment: { card: '4242', holder: 'Ahab' },
      },
    },
  },
  {
    endpoint: 'GET /orders/{order_id}',
    task: 'Show the order o17.',
    config: { url: `${at}/orders/o17`, method: 'get', headers },
  },
  {
    endpoint: 'DELETE /orders/{order_id}',
    task: 'Cancel the order o18, with an API key.',
    config: { url: `${at}/orders/o18`, method: 'delete', headers: { Accept }, params: { api_key: '<key>' } },
  },
  {
    endpoint: 'POST /orders/{order_id}/notes',
    task: 'Add the note "came late, and wet" with 2 stars to the order o19.',
    config: {
      url: `${at}/orders/o19/notes`,
      method: 'post',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      data: { text: 'came late, and wet', stars: '2' },
    },
  },
  {
    // The released mock reads no lists from such forms, so that its own request is not judged correct.
    endpoint: 'POST /orders/{order_id}/files',
    task: 'Attach the files "a" and "b" to the order o20.',
    config: {
      url: `${at}/orders/o20/files`,
      method: 'post',
      headers: { ...headers, 'Content-Type': 'multipart/form-data' },
      data: { files: ['a', 'b'] },
    },
  },
  {
    endpoint: 'GET /orders/search',
    task: 'Find the orders with the text "whale oil".',
    config: { url: `${at}/orders/search`, method: 'get', headers: { Accept }, params: { q: 'whale oil' } },
  },
]
export const answerOf = (samples: readonly unknown[]) =>
  `Here they are:\n\n\`\`\`json\n${JSON.stringify({ samples }, null, 2)}\n\`\`\``
export const taskFor = (endpoint: string): Written =>
  structuredClone(shopTasks.find((one) => one.endpoint === endpoint)!)
/** The endpoints that a question asks for, as they stand in its last message. */
export const wantedIn = (text: string) => [...text.matchAll(/^- ([A-Z]+ \/\S*)$/gm)].map(([, name]) => name!)
