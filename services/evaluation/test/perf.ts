import { createLog, startService } from '@stateeval/service-kit'
import { namespace, startServers } from '@stateeval/testkit'
import { evaluation } from '../src/app.ts'
import { startFakes } from './fake-services.ts'
import { benchmark } from './fakes.ts'
const servers = await startServers()
console.log('servers', performance.now())
const running = await startService(evaluation, { env: { ...servers.env, STATEEVAL_NAMESPACE: namespace(), PORT: '0' }, log: createLog('e', { level: process.env['TEST_LOG'] ?? 'silent' }), sweepEveryMs: 10000, overrides: { benchmark: () => benchmark, findBenchmark: () => benchmark } as never })
await running.context.bus.ready()
const fakes = startFakes(running)
console.log('ready', performance.now())
const wait = async (path: string) => { for (;;) { const body = (await running.app.inject({ url: path })).json(); if (body.status !== 'running') return body; await new Promise(r => setTimeout(r, 100)) } }
for (let i = 0; i < 1; i++) {
let t = performance.now(), c = process.cpuUsage()
const b = (await running.app.inject({ method: 'POST', url: '/v1/benchmarks', payload: { build: { scenario: 'session-service', programs: 12, keep: 8 } } })).json()
const done = await wait(`/v1/benchmarks/${b.id}`)
console.log('build', done.status, done.error ?? done.manifest?.id, performance.now() - t, process.cpuUsage(c), fakes.handled)
(globalThis as any).mongoStats?.()
for (const model of ['reference']) {
t = performance.now(); c = process.cpuUsage()
const e = (await running.app.inject({ method: 'POST', url: '/v1/evaluations', payload: { benchmark: b.id, model } })).json()
const end = await wait(`/v1/evaluations/${e.id}`)
console.log(model, end.status, end.counts, performance.now() - t, process.cpuUsage(c), fakes.handled)
}
}
(globalThis as any).mongoStats?.(); await fakes.stop(); await running.stop(500); await servers.stop(); process.exit(0)
