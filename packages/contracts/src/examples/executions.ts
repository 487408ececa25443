/** A program, its run, and its runtime. Recorded, with three of the runtime’s layers. */
import type { Execution, ObservedInput } from '../api/execution/executions.ts'
import type { RuntimeInfo } from '../api/execution/runtime.ts'
import type { ExecutionRequest } from '../execution.ts'
import { exampleCode } from '../program-example.ts'

export const exampleRequest: ExecutionRequest = {
  language: 'javascript',
  code: exampleCode,
  world: 'session-service',
  inputs: [
    { variables: {}, world: { items: [{ source: 'web', type: 'settings', data: { theme: 'dark' } }] } },
  ],
}

const self = '/v1/executions/exe_0mwrxu3up1c5f25d786'
const links = { self, cancel: `${self}/cancel`, results: `${self}/results` }

/** The finished execution. */
export const exampleExecution: Execution = {
  id: 'exe_0mwrxu3up1c5f25d786',
  status: 'succeeded',
  progress: { done: 1, total: 1, phase: 'succeeded' },
  createdAt: '2026-11-22T14:34:23.617Z',
  finishedAt: '2026-11-22T14:34:23.648Z',
  links,
  resultBytes: 618,
  result: {
    observations: [
      {
        ending: {
          status: 'completed',
          result: {
            response_0: [
              { id: '60d2b0a31af95e21f28d1880', data: { theme: 'dark' }, source: 'web', type: 'settings' },
            ],
          },
        },
        world: {
          state: {
            items: [
              { id: '60d2b0a31af95e21f28d1880', source: 'web', type: 'settings', data: { theme: 'dark' } },
            ],
          },
          ids: { initial: ['60d2b0a31af95e21f28d1880'], created: [] },
          gone: [],
        },
        log: [
          {
            method: 'GET',
            path: '/api/sessions/web/settings',
            status: 200,
            responseBody:
              '[{"id":"60d2b0a31af95e21f28d1880","data":{"theme":"dark"},"source":"web","type":"settings"}]',
          },
        ],
        output: '',
        faults: [],
        wallMs: 20.9,
        sandbox: 'warm-jail',
      },
    ],
    runtime: 'warm-jail node v24.21.0 axios 1.21.1 96e65bfd4a8ebc22 linux-x64',
  },
}

const { result, ...listedExecution } = exampleExecution
export const exampleObserved: ObservedInput = {
  program: 0,
  input: 0,
  observation: result!.observations[0]!,
  runtime: result!.runtime,
}
/** The execution in a list. */
export const withoutResult: Execution = listedExecution

export const queuedExecution: Execution = {
  id: 'exe_0mwrxu3up1c5f25d786',
  status: 'queued',
  progress: { done: 0, total: 1, phase: 'queued' },
  createdAt: '2026-11-22T14:34:23.617Z',
  links,
}

export const cancelledExecution: Execution = {
  ...queuedExecution,
  status: 'cancelled',
  finishedAt: '2026-11-22T14:34:23.648Z',
}

export const exampleRuntime: RuntimeInfo = {
  sandbox: 'warm-jail',
  languages: ['javascript', 'python'],
  versions: { node: 'v24.21.0', axios: '1.21.1', python: '3.11.2', requests: '2.28.1' },
  unavailable: {},
  interpreters: [{ path: '/usr/bin/python3', source: 'PATH', version: '3.11.2' }],
  layers: [
    { layer: 'user namespace', inForce: true, detail: 'user:[4026532252]' },
    { layer: 'mount namespace', inForce: true, detail: 'mnt:[4026532178]' },
    { layer: 'pid namespace', inForce: true, detail: 'pid:[4026532181]' },
  ],
  executionProviders: ['cpu'],
  tensorProvider: 'cpu',
  tensorProviders: [
    {
      provider: 'cuda' as const,
      available: false,
      reason: 'OrtSessionOptionsAppendExecutionProvider_Cuda: Failed to load shared library',
    },
    { provider: 'webgpu' as const, available: false, reason: 'Failed to get a WebGPU adapter' },
    { provider: 'cpu' as const, available: true, device: 'AMD EPYC 9B14, 2 cores' },
  ],
  limits: {
    wallMs: 10000,
    cpuSeconds: 10,
    memoryMiB: 256,
    outputKiB: 64,
    resultKiB: 1024,
    processes: 64,
    requests: 1000,
  },
  concurrency: 2,
  fingerprint: 'warm-jail node v24.21.0 axios 1.21.1 96e65bfd4a8ebc22 linux-x64',
}
