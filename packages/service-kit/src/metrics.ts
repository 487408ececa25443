/** Metrics of every service. Names and labels are stable, because dashboards and autoscalers read them. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countDroppedLines } from './log-stream.ts'

export interface ServiceMetrics {
  /** Entries of the audit log that wait for their store. */
  auditWaiting: Gauge
  auditLost: Counter
  registry: Registry
  httpSeconds: Histogram<'method' | 'route' | 'status'>
  jobs: Counter<'kind' | 'outcome'>
  jobSeconds: Histogram<'kind'>
  jobWaitSeconds: Histogram<'kind'>
  jobsInFlight: Gauge<'kind'>
  httpInFlight: Gauge
  refusals: Counter<'limit'>
}

/** @param service the label that distinguishes the series of services, for any scraper */
export function createMetrics(service: string): ServiceMetrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Counter({
    name: 'stateeval_log_lines_dropped_total',
    help: 'Log lines that could not be written, for example because the disk is full',
    registers,
    collect() {
      this.reset()
      this.inc(countDroppedLines())
    },
  })
  return {
    registry,
    auditWaiting: new Gauge({
      name: 'stateeval_audit_entries_waiting',
      help: 'Entries of the audit log that are not stored yet',
      registers,
    }),
    auditLost: new Counter({
      name: 'stateeval_audit_entries_lost_total',
      help: 'Entries of the audit log that only the log has, as too many waited for their store',
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'stateeval_http_request_duration_seconds',
      help: 'Duration of requests',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
    httpInFlight: new Gauge({
      name: 'stateeval_http_requests_in_flight',
      help: 'Requests in flight',
      registers,
    }),
    refusals: new Counter({
      name: 'stateeval_limit_refusals_total',
      help: 'Requests rejected by limits or budgets of projects, by limit',
      labelNames: ['limit'],
      registers,
    }),
    jobs: new Counter({
      name: 'stateeval_jobs_total',
      help: 'Jobs by ending; retried, handed_back, moved and returned jobs are delivered again',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'stateeval_job_duration_seconds',
      help: 'Duration of a job, per attempt',
      labelNames: ['kind'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300],
      registers,
    }),
    jobWaitSeconds: new Histogram({
      name: 'stateeval_job_wait_seconds',
      help: 'Time that jobs waited in the queue',
      labelNames: ['kind'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300, 1800],
      registers,
    }),
    jobsInFlight: new Gauge({
      name: 'stateeval_jobs_in_flight',
      help: 'Jobs in progress',
      labelNames: ['kind'],
      registers,
    }),
  }
}
