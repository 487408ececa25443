export * from './answer-key.ts'
export * from './answers.ts'
export * from './asking/ask-once.ts'
export * from './asking/ledger.ts'
export type { SpendingMeter } from './asking/meter.ts'
export * from './asking/question.ts'
export * from './base-url.ts'
export * from './client.ts'
export * from './cost.ts'
export * from './endpoint-id.ts'
export * from './estimate.ts'
export * from './key-hosts.ts'
export * from './key.ts'
export * from './models-file.ts'
export * from './live/live-apis.ts'
export * from './live/live-client.ts'
export * from './live/request.ts'
export * from './networks.ts'
export * from './pace.ts'
export { type ProbeEnd, probeModel, longestProbeMs } from './probe/probe.ts'
export type {
  AskModel,
  ModelAnswer,
  ModelRequest,
  NamedModel,
  RefusalKind,
  ModelReply,
  SettledReply,
} from './request.ts'
export * from './retry-after.ts'
export * from './settings.ts'
export * from './similarity.ts'
export { finishMeaning } from './wire/finish.ts'
export { readerVersion, type StoredReply } from './wire/stored-reply.ts'
export { createTransport, HostRefused, type ResolveHost } from './transport.ts'
