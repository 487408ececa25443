/** Runs a typical program once, so that the code cache holds what such a program compiles. */
import type { InputJob } from '@stateeval/runtime/protocol'
import { load } from './modules.ts'
import type { AxiosParts } from './recorder.ts'
import { serveDuring } from './rehearse.ts'
import { run, prepareStage } from './run.ts'

const job: InputJob = {
  source:
    '(async () => { const axios = require("axios"); await axios.post("https://a.b/x", { a: 1 }, { params: { b: 1 }, headers: { c: "d" } }); console.log("x"); RESULT = { a: [1] } })',
  columnOffset: 0,
  variables: { a: 1 },
  baseUrl: 'http://127.0.0.1/x',
  resultBytes: 1e6,
  capture: { status: 200, data: null, maxRequests: 10 },
  surface: null,
}

interface RehearsedClient extends AxiosParts {
  get(url: string, config?: object): Promise<unknown>
  post(url: string, body: unknown, config?: object): Promise<unknown>
  put(url: string, body: unknown, config?: object): Promise<unknown>
  delete(url: string): Promise<unknown>
}

/** `end` is called where the program's process would end. */
export async function warmModules(end: () => void): Promise<void> {
  const axios = load('axios') as RehearsedClient
  await serveDuring(async (url) => {
    await axios.get(url, { params: { a: 1 } })
    await axios.post(url, { a: 1 })
    await axios.put(url, { a: 1 }, { headers: { 'content-type': 'application/json' } })
    await axios.delete(url)
  })
  prepareStage(end)
  await run(job)
}
