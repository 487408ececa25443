import type { Delivery, Webhook } from '../webhook.ts'

export const exampleWebhook: Webhook = {
  id: 'wh_mkf4j2q10a7c1f2b',
  url: 'https://hooks.example.com/stateeval',
  events: ['stateeval.evaluation.succeeded', 'stateeval.evaluation.failed'],
  description: 'Team channel',
  status: 'active',
  secrets: [{ createdAt: '2026-01-05T10:00:00.000Z' }],
  createdAt: '2026-01-05T10:00:00.000Z',
  updatedAt: '2026-01-05T10:00:00.000Z',
  links: {
    self: '/v1/webhooks/wh_mkf4j2q10a7c1f2b',
    deliveries: '/v1/webhooks/wh_mkf4j2q10a7c1f2b/deliveries',
  },
}

export const exampleDelivery: Delivery = {
  id: '0mkf4j2q1d3a7c1f2b9e4',
  webhook: exampleWebhook.id,
  type: 'stateeval.evaluation.succeeded',
  event: 'ev_0mkf4j2q18d3a7c1f2b-1',
  subject: 'ev_0mkf4j2q18d3a7c1f2b',
  status: 'delivered',
  createdAt: '2026-01-05T10:00:00.000Z',
  finishedAt: '2026-01-05T10:00:05.400Z',
  attempts: [
    { at: '2026-01-05T10:00:00.100Z', ms: 31, status: 503, error: 'answered 503' },
    { at: '2026-01-05T10:00:05.350Z', ms: 48, status: 200 },
  ],
  links: {
    self: '/v1/webhooks/wh_mkf4j2q10a7c1f2b/deliveries/0mkf4j2q1d3a7c1f2b9e4',
    webhook: '/v1/webhooks/wh_mkf4j2q10a7c1f2b',
  },
}

export const exampleEvent = {
  id: 'ev_0mkf4j2q18d3a7c1f2b-1',
  time: '2026-01-05T10:00:00.000Z',
  type: 'stateeval.evaluation.succeeded',
  source: '/v1/projects/default',
  specversion: '1.0',
  datacontenttype: 'application/json',
  subject: 'ev_0mkf4j2q18d3a7c1f2b',
  project: 'default',
  data: {
    id: 'ev_0mkf4j2q18d3a7c1f2b',
    status: 'succeeded',
    benchmark: 'bm_3f8e1c0d9b7a65240f1',
    model: 'qwen',
    counts: { samples: 40, scored: 40, passed: 31, notScored: 0, timeouts: 0 },
    links: {
      self: '/v1/evaluations/ev_0mkf4j2q18d3a7c1f2b',
      report: '/v1/evaluations/ev_0mkf4j2q18d3a7c1f2b/report',
    },
  },
}
