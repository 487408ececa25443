export * from './access/index.ts'
export { type CollectedArtifacts, collectArtifacts, collectNamedArtifacts } from './artifact-collection.ts'
export * from './artifacts.ts'
export type { AuditLog } from './audit.ts'
export { ByteBudget } from './byte-budget.ts'
export * from './bus/index.ts'
export * from './config.ts'
export type { FixedDocuments } from './documents/fixed.ts'
export type { RevisedDocuments } from './documents/revised.ts'
export { type DocumentStore, openDocumentStore } from './documents/store.ts'
export { ElsewhereError } from './elsewhere.ts'
export * from './errors.ts'
export { buildApp } from './http/app.ts'
export { choosePreferredType } from './http/acceptable.ts'
export { pageHeaders } from './http/page-headers.ts'
export { findOldVersion, type ServerName } from './server-versions.ts'
export { sendProblem, toProblem } from './http/problems.ts'
export { listEveryItem, fillPage, buildPage, parsePosition as placeOf } from './http/paging.ts'
export * from './http/handler.ts'
export { mostParts } from './http/json-body.ts'
export { hasMoreParts } from './http/part-counter.ts'
export { type JsonText, parseJsonText } from './http/json-text.ts'
export { openApiDocument } from './http/openapi.ts'
export { type ServerEvent } from './http/sse.ts'
export type { DocumentInsertion } from './insert-pairs.ts'
export { openInsertedDocuments, insertTogether } from './insert-together.ts'
export * from './installation-key.ts'
export * from './job.ts'
export * from './lifecycle.ts'
export {
  createModelMeter,
  type DayPeriod,
  findPeriod,
  type ProjectQuota,
  type RunningWork,
} from './limits/index.ts'
export * from './log.ts'
export * from './long-work.ts'
export { createModelMetrics } from './model-metrics.ts'
export { readHostLists, modelSettings } from './model-settings.ts'
export * from './memory.ts'
export * from './mongo.ts'
export * from './outcomes.ts'
export { bindHandlers, bindJob, type JoinedParts, joinParts } from './parts.ts'
export * from './platform.ts'
export { readPromptFiles } from './prompts.ts'
export { drawRandomHex } from './random.ts'
export {
  listCollectionNames,
  expireLongWork,
  isNamedAfterOwners,
  removeNamed,
  removeRange,
  type PendingCleanup,
  openPendingCleanup,
} from './removal.ts'
export * from './sealing.ts'
export * from './secret-box.ts'
export * from './settings.ts'
export * from './artifact-cache.ts'
export { keepConnected } from './stay-connected.ts'
export * from './sweep.ts'
export * from './threads/index.ts'
export * from './time.ts'
export { evaluationResult, genAi } from './tracing/gen-ai.ts'
export { noTelemetry, type TelemetryExport } from './tracing/telemetry.ts'
export { getCurrentSpan, runInTrace, type TraceSpan, type SpanTracer } from './tracing/tracer.ts'
export * from './validation.ts'
export { startWorker, type JobWorker } from './worker.ts'
export { write, writeObject, JsonWritten } from './written.ts'
