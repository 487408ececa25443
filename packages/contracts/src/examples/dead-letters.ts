import type { DeadLetterDetail, RedriveResult } from '../dead-letter.ts'

const job = 'ev_0mkf4j2q18d3a7c1f2b/samples/0000003@1#5f0c3e9a7b21'
const owner = 'ev_0mkf4j2q18d3a7c1f2b'
const exampleId = '3f8e1c0d9b7a65240f1e2d3c4b5a6978'

export const exampleDeadLetter: DeadLetterDetail = {
  id: exampleId,
  kind: 'execution.execute',
  job,
  error: 'ended its worker 5 times',
  attempts: 6,
  diedAt: '2026-01-05T10:00:00.000Z',
  owner,
  payload: { language: 'javascript', code: 'RESULT = {}', world: 'session-service', inputs: [] },
  replyTo: { kind: 'evaluation.step', step: `${owner}/samples/0000003@1` },
}

export const exampleRedriven: RedriveResult = {
  id: exampleId,
  kind: 'execution.execute',
  job,
  owner: { id: owner, status: 'running', resumed: false },
}
