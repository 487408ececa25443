/**
 * Sign-in of the dashboard at an OpenID provider: the authorization code flow with PKCE. The page sends the
 * browser to the provider. The service exchanges the code, so the page needs its own origin only, and a
 * client secret stays here. The page keeps the token as it keeps a key.
 */
import { isRecord, ProblemError } from '@stateeval/contracts'
import {
  type AccessControl,
  isTrustworthyUrl,
  getErrorText,
  openIdConfiguration,
} from '@stateeval/service-kit'
import type { FastifyInstance } from 'fastify'

export interface SignInConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  /** Further parameters of the authorization request, such as an audience. */
  readonly parameters: Readonly<Record<string, string>>
}
/** Data with which the page begins; null without a provider. */
interface SignInOffer {
  issuer: string
  authorizationEndpoint: string
  parameters: Record<string, string>
}
/** Data that the page keeps after a sign-in. */
interface SignInResult {
  key: string
  project: string
  subject: string
}
interface CodeExchange {
  code: string
  verifier: string
  redirectUri: string
}
interface ProviderEndpoints {
  authorization: string
  token: string
}

const patienceMs = 5_000
/** The provider's endpoints are read again after this time, in milliseconds. */
const knownForMs = 600_000

const createUnavailableProvider = (issuer: string) =>
  new ProblemError('unavailable', `the OpenID provider ${issuer} cannot be reached; try again in a moment`)

/** The provider's endpoints, from its configuration document. */
function createEndpointReader(issuer: string): () => Promise<ProviderEndpoints> {
  let known: { at: number; endpoints: Promise<ProviderEndpoints> } | undefined
  const read = async (): Promise<ProviderEndpoints> => {
    const { authorization_endpoint: authorization, token_endpoint: token } = await openIdConfiguration(issuer)
    if (!isUrl(authorization) || !isUrl(token))
      throw new Error(`the openid-configuration of ${issuer} lacks an endpoint of its sign-in`)
    return { authorization, token }
  }
  return () => {
    const at = performance.now()
    if (!known || at - known.at > knownForMs) known = { at, endpoints: read() }
    const { endpoints } = known
    endpoints.catch(() => (known = undefined))
    return endpoints
  }
}
const isUrl = (value: unknown): value is string => typeof value === 'string' && isTrustworthyUrl(value)

/** Adds the two routes of the page's sign-in. They are public: who signs in has no key yet. */
export function serveSignIn(
  app: FastifyInstance,
  config: SignInConfig | undefined,
  access: Pick<AccessControl, 'authenticate'>,
): void {
  const endpoints = config && createEndpointReader(config.issuer)
  const reach = async ({ issuer }: SignInConfig): Promise<ProviderEndpoints> => {
    try {
      return await endpoints!()
    } catch (error) {
      app.log.warn({ reason: getErrorText(error) }, 'the OpenID provider is unavailable')
      throw createUnavailableProvider(issuer)
    }
  }
  const noStore = { 'cache-control': 'no-store' } as const

  app.get('/sign-in/provider', { schema: { hide: true } }, async (_request, reply) => {
    const offer: SignInOffer | null = config
      ? {
          issuer: config.issuer,
          authorizationEndpoint: (await reach(config)).authorization,
          parameters: {
            ...config.parameters,
            client_id: config.clientId,
            response_type: 'code',
            scope: config.scopes.join(' '),
          },
        }
      : null
    return reply.headers(noStore).type('application/json').send(JSON.stringify(offer))
  })

  app.post('/sign-in/token', { schema: { hide: true }, bodyLimit: 16_384 }, async (request, reply) => {
    if (!config)
      throw new ProblemError('not-found', 'this installation has no sign-in at a provider; use a key')
    const tokens = await exchangeCode(config, (await reach(config)).token, parseExchange(request.body))
    const result = await findAcceptedToken(tokens, request.headers.host, access)
    return reply.headers(noStore).send(result)
  })
}

/** The exchange that a body asks for, or the problem with it. */
function parseExchange(body: unknown): CodeExchange {
  const field = (name: keyof CodeExchange, form: RegExp, says: string): string => {
    const value = isRecord(body) ? body[name] : undefined
    if (typeof value === 'string' && form.test(value)) return value
    throw new ProblemError('validation-failed', `${name} must be ${says}`, `/${name}`)
  }
  return {
    code: field('code', /^[!-~]{1,4096}$/, 'the code of the provider'),
    verifier: field('verifier', /^[\w.~-]{43,128}$/, 'a code verifier of PKCE, 43 to 128 characters'),
    redirectUri: field(
      'redirectUri',
      /^https?:\/\/[!-~]{1,300}\/sign-in$/,
      'the address of the sign-in page',
    ),
  }
}

/** The tokens for a code: the access token, then the ID token. */
async function exchangeCode(config: SignInConfig, url: string, exchange: CodeExchange): Promise<string[]> {
  const { issuer, clientId, clientSecret, parameters } = config
  const basic = [clientId, clientSecret ?? ''].map(encodeURIComponent).join(':')
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: exchange.code,
    redirect_uri: exchange.redirectUri,
    code_verifier: exchange.verifier,
    ...(parameters['resource'] !== undefined && { resource: parameters['resource'] }),
    ...(clientSecret === undefined && { client_id: clientId }),
  })
  let answer: unknown
  let status = 0
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(clientSecret !== undefined && {
          authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
        }),
      },
      body: form,
      signal: AbortSignal.timeout(patienceMs),
    })
    status = response.status
    answer = await response.json()
  } catch {
    throw createUnavailableProvider(issuer)
  }
  const of = (name: string) => (isRecord(answer) && typeof answer[name] === 'string' ? [answer[name]] : [])
  if (status === 200) return [...of('access_token'), ...of('id_token')]
  const [reason = `HTTP ${status}`] = of('error')
  throw new ProblemError(
    'unauthenticated',
    `the provider rejected the sign-in (${reason.slice(0, 100)}); sign in again`,
  )
}

/** The first token that the services accept, with its project. */
async function findAcceptedToken(
  tokens: readonly string[],
  host: string | undefined,
  { authenticate }: Pick<AccessControl, 'authenticate'>,
): Promise<SignInResult> {
  for (const key of tokens) {
    try {
      const { project, subject } = await authenticate({
        method: 'GET',
        headers: { authorization: `Bearer ${key}`, ...(host !== undefined && { host }) },
      })
      return { key, project, subject }
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'unauthenticated') throw error
    }
  }
  throw new ProblemError(
    'unauthenticated',
    'the provider’s tokens are not for this installation, or name no existing project; ask its operator (the log has the reason)',
  )
}
