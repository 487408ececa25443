import { defaultLimits } from '@stateeval/sandbox'
import { getErrorText } from '@stateeval/service-kit'
import type { ExecutionContext, ExecutionRoute } from '../context.ts'

export const getRuntime: ExecutionRoute<'getRuntime'> = async (_request, { sandbox, config, worlds }) => {
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
      ...(await listTensorProviders(worlds)),
      limits: defaultLimits,
      concurrency: config.sandbox.concurrency,
      fingerprint: sandbox.fingerprint,
    },
  }
}

/** Lists the providers of the world that has tensors; a runtime that can't come up says so. */
async function listTensorProviders(worlds: ExecutionContext['worlds']) {
  const tensors = worlds.flatMap((world) => world.tensors ?? [])[0]
  if (!tensors) return { executionProviders: [], tensorProviders: [] }
  try {
    const { providers, default: defaultProvider } = await tensors.state()
    return {
      executionProviders: providers.filter(({ available }) => available).map(({ provider }) => provider),
      ...('provider' in defaultProvider && { tensorProvider: defaultProvider.provider }),
      tensorProviders: providers,
    }
  } catch (error) {
    const reason = getErrorText(error)
    return {
      executionProviders: [],
      tensorProviders: [{ provider: 'cpu' as const, available: false, reason }],
    }
  }
}
