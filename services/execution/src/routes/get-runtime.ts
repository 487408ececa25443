import { defaultLimits } from '@stateeval/sandbox'
import type { Route } from '../context.ts'

export const getRuntime: Route<'getRuntime'> = async (_request, { sandbox, config }) => ({
  status: 200,
  body: {
    sandbox: sandbox.level,
    languages: [...sandbox.languages],
    versions: sandbox.versions,
    unavailable: sandbox.unavailable,
    layers: sandbox.layers.map(({ layer, inForce, detail }) => ({ layer, inForce, detail })),
    executionProviders: [],
    limits: defaultLimits,
    concurrency: config.sandbox.concurrency,
    fingerprint: sandbox.fingerprint,
  },
})
