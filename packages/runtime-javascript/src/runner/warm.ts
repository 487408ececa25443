/** Runs a typical program once, so that the code cache holds what such a program compiles. */
import type { Job } from '@stateeval/runtime/protocol'
import { load } from './modules.ts'
import { type Client, sent } from './rehearse.ts'
import { run, stage } from './run.ts'

const job: Job = {
  source:
    '(async () => { const axios = require("axios"); await axios.post("https://a.b/x", { a: 1 }, { params: { b: 1 }, headers: { c: "d" } }); console.log("x"); RESULT = { a: [1] } })',
  columnOffset: 0,
  variables: { a: 1 },
  baseUrl: 'http://127.0.0.1/x',
  resultBytes: 1e6,
  capture: { status: 200, data: null, maxRequests: 10 },
  surface: null,
}

/** `end` is called where the program's process would end. */
export async function warm(end: () => void): Promise<void> {
  await sent(load('axios') as Client)
  stage(end)
  await run(job)
}
