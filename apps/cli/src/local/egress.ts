/** Every connection that a part of the suite makes, and the setting that names its target. */

interface EgressTarget {
  from: string
  to: string
  /** The settings that name or limit the target. */
  settings: readonly string[]
  /** Absent: always. */
  when?: string
}

const models = ['STATEEVAL_MODEL_HOSTS', 'STATEEVAL_MODEL_NETWORKS', 'STATEEVAL_MODEL_DENIED'] as const

/** docs/security.md has the same table. */
export const egress: readonly EgressTarget[] = [
  { from: 'every service', to: 'MongoDB', settings: ['MONGODB_URI'] },
  { from: 'every service', to: 'NATS', settings: ['NATS_URL'] },
  {
    from: 'every service',
    to: 'an OpenTelemetry collector',
    settings: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    when: 'the setting is there',
  },
  {
    from: 'every service',
    to: 'an OpenID provider',
    settings: ['STATEEVAL_OIDC_ISSUER', 'STATEEVAL_OIDC_JWKS_URL'],
    when: 'the setting is there',
  },
  {
    from: 'evaluation',
    to: 'models, judges, users and embeddings',
    settings: models,
    when: 'an evaluation, a build or an episode asks one',
  },
  {
    from: 'evaluation',
    to: 'live APIs',
    settings: ['STATEEVAL_LIVE_APIS_FILE'],
    when: 'a dialogue’s case calls one',
  },
  {
    from: 'evaluation',
    to: 'receivers of webhooks',
    settings: ['STATEEVAL_WEBHOOK_HOSTS', 'STATEEVAL_WEBHOOK_NETWORKS', 'STATEEVAL_WEBHOOK_DENIED'],
    when: 'a webhook is registered',
  },
  { from: 'translation', to: 'models', settings: models, when: 'agents write instructions' },
  {
    from: 'execution',
    to: 'the MongoDB of session services',
    settings: ['SESSIONS_MONGODB_URI'],
    when: 'a program of session-service runs',
  },
  {
    from: 'npx stateeval up',
    to: 'the module proxy of Go',
    settings: ['GOPROXY'],
    when: 'it builds the embedded servers, once',
  },
  {
    from: 'npx stateeval track',
    to: 'MLflow',
    settings: ['STATEEVAL_MLFLOW_URL'],
    when: 'evaluations are tracked',
  },
  {
    from: 'npx stateeval world',
    to: 'the API or the document that is named',
    settings: ['--url', '--allow'],
    when: 'an address is named',
  },
]

/** Fields that print the settings with what they are set to, without secrets. */
export const listEgress = (env: NodeJS.ProcessEnv): string[][] =>
  egress.map(({ from, to, settings, when }) => [
    from,
    to,
    settings.map((name) => `${name}${env[name] ? ' (set)' : ''}`).join(', '),
    when ?? 'always',
  ])
