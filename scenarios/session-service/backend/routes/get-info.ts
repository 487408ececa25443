import type { RouteInstaller } from '../context.ts'
import { describe } from '../contract.ts'

export const getInfo: RouteInstaller = (app, { version }) => {
  const schema = describe({
    operationId: 'getInfo',
    summary: 'The version of the service',
    description: 'The version as plain text; empty where the service was started without one.',
    success: { description: 'The version', content: { 'text/plain': { schema: { type: 'string' } } } },
    errors: {},
  })
  app.get('/info', { schema }, (_, reply) => reply.send(version === '' ? undefined : version))
}
