import { defaultLimits } from '@stateeval/sandbox'
import type { Route } from '../context.ts'

export const getRuntime: Route<'getRuntime'> = async (_request, { sandbox, config, worlds }) => {
  const lacks = sandbox.lacksLevel('gvisor')
  return {
    status: 200,
    body: {
      sandbox: sandbox.level,
      languages: [...sandbox.languages],
      versions: sandbox.versions,
      unavailable: {
        ...sandbox.unavailable,
        ...(lacks !== undefined && { gvisor: lacks }),
        ...Object.fromEntries(
          worlds.flatMap((world) =>
            Object.entries(sandbox.missing(world)).map(([language, why]) => [
              `${language} in ${world.id}`,
              why,
            ]),
          ),
        ),
      },
      interpreters: sandbox.interpreters.map((one) => ({ ...one })),
      layers: sandbox.layers.map(({ layer, inForce, detail }) => ({ layer, inForce, detail })),
      executionProviders: [
        ...new Set(
          (
            await Promise.all(worlds.map((world) => world.executionProviders?.() ?? Promise.resolve([])))
          ).flat(),
        ),
      ],
      limits: defaultLimits,
      concurrency: config.sandbox.concurrency,
      fingerprint: sandbox.fingerprint,
    },
  }
}
