/** A real OpenID provider on this machine, with its own pages for login and consent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

interface OpenIdProvider {
  issuer: string
  stop(): Promise<void>
}

/** Every login is accepted; its claims name the project and the role. */
export async function startProvider(
  redirectUri: string,
  clientId: string,
  claims: Readonly<Record<string, string>>,
): Promise<OpenIdProvider> {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub', ...Object.keys(claims)] },
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...claims }) }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
  })
  const handle = provider.callback()
  return { issuer, stop: () => new Promise((resolve) => void server.close(() => resolve())) }
}
