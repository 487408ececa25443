/**
 * Writes deploy/nats/permissions.conf: a NATS user for each service, with the subjects that its work needs
 * and no other. With --namespace NAME it prints the file for another STATEEVAL_NAMESPACE, with --nkeys one
 * for users with NKeys; with --check it says whether the file drifted.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  coordinator,
  type JobSubject,
  questions,
  buildRollCall,
  type ServiceName,
  serviceNames,
  subjects,
} from '@stateeval/contracts'
import { formatInbox } from '../packages/service-kit/src/bus/credentials.ts'
import { buildBusNames as namesOf } from '../packages/service-kit/src/bus/names.ts'
import { root, writeOrCheck } from './generated.ts'

interface Rights {
  publish: string[]
  subscribe: string[]
  /** True if it answers requests of others, on the subjects that these name. */
  answers?: true
}

const kinds: readonly JobSubject[] = Object.values(subjects)
/** The second part of a subject is the service that takes it. */
const kindsOf = (service: ServiceName) => kinds.filter((kind) => kind.split('.')[1] === service)

function rightsOf(service: ServiceName, namespace: string): Rights {
  const names = namesOf(namespace)
  const streams = [names.jobs, names.events, names.dead]
  const isCoordinator = service === coordinator
  const taking = kindsOf(service).flatMap((kind) => {
    const consumer = `${names.jobs}.${names.consumer(kind)}`
    return [
      `$JS.API.CONSUMER.CREATE.${consumer}.${names.kind(kind)}`,
      `$JS.API.CONSUMER.DURABLE.CREATE.${consumer}`,
      `$JS.API.CONSUMER.INFO.${consumer}`,
      // One that stands ahead of its stream is replaced.
      `$JS.API.CONSUMER.DELETE.${consumer}`,
      `$JS.API.CONSUMER.MSG.NEXT.${consumer}`,
      `$JS.ACK.${consumer}.>`,
      `$JS.ACK.*.*.${consumer}.>`,
    ]
  })
  const sends = isCoordinator ? kinds : [...kindsOf(service), subjects.step]
  const asks = Object.values(questions).filter((question) => question.split('.')[1] !== service)
  const answers = [
    ...Object.values(questions).filter((question) => question.split('.')[1] === service),
    buildRollCall(service),
  ]
  return {
    publish: [
      '$JS.API.INFO',
      ...streams.flatMap((stream) => [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.INFO.${stream}`]),
      ...taking,
      ...sends.map((kind) => names.kind(kind)),
      // A project other than the default one is a token more.
      `${namespace}.dead.${service}.*.*`,
      `${namespace}.dead.*.${service}.*.*`,
      `${namespace}.events.>`,
      // The ends of jobs that a process of the coordinator waits for.
      ...(isCoordinator ? [] : [names.inbox(`${coordinator}.*`)]),
      ...(isCoordinator
        ? [
            ...streams.map((stream) => `$JS.API.STREAM.UPDATE.${stream}`),
            // Readers of its event streams.
            `$JS.API.CONSUMER.CREATE.${names.events}`,
            ...['CREATE', 'MSG.NEXT', 'INFO', 'DELETE'].map(
              (what) => `$JS.API.CONSUMER.${what}.${names.events}.>`,
            ),
            // It may see whether the queues of others deliver, and whether anyone takes from them.
            ...kinds
              .filter((kind) => !kindsOf(service).includes(kind))
              .map((kind) => `$JS.API.CONSUMER.INFO.${names.jobs}.${names.consumer(kind)}`),
            // How long the oldest job waits stands in the job. It has sent it, or hears of its end.
            `$JS.API.STREAM.MSG.GET.${names.jobs}`,
            `$JS.API.STREAM.MSG.GET.${names.dead}`,
            `$JS.API.STREAM.MSG.DELETE.${names.dead}`,
            // Events of a deleted project.
            `$JS.API.STREAM.PURGE.${names.events}`,
            ...asks.map((question) => names.question(question)),
            ...serviceNames.map((name) => names.question(buildRollCall(name))),
          ]
        : []),
    ],
    subscribe: [
      `${formatInbox(service)}.>`,
      ...(isCoordinator ? [names.inbox(`${coordinator}.*`)] : []),
      ...answers.map((question) => names.question(question)),
    ],
    ...(answers.length > 0 && { answers: true }),
  }
}

const listed = (subjectList: readonly string[]) =>
  subjectList.map((subject) => `            ${JSON.stringify(subject)}`).join('\n')

/** How services show who they are. */
type ShownBy = 'password' | 'nkey'
const variableOf = (user: string, by: ShownBy) =>
  `$NATS_${user.toUpperCase().replaceAll('-', '_')}_${by.toUpperCase()}`

function userText(service: ServiceName, namespace: string, by: ShownBy): string {
  const { publish, subscribe, answers } = rightsOf(service, namespace)
  const who =
    by === 'nkey'
      ? `nkey: ${variableOf(service, by)} # ${service}`
      : `user: "${service}"
      password: ${variableOf(service, by)}`
  return `    {
      ${who}
      permissions: {
        publish: {
          allow: [
${listed(publish)}
          ]
        }
        subscribe: {
          allow: [
${listed(subscribe)}
          ]
        }${answers ? '\n        allow_responses: { max: 1, expires: "5s" }' : ''}
      }
    }`
}

const secretsOf = {
  password: 'Passwords come',
  nkey: 'Public NKeys (U…) come',
} as const

export const permissionsText = (namespace: string, by: ShownBy = 'password') =>
  `# Generated by scripts/nats-permissions.ts: users of NATS for the namespace ${namespace}. Each service may publish and subscribe only to
# the subjects that it needs. ${secretsOf[by]} from the environment of nats-server; include this file in its configuration (docs/security.md).
authorization: {
  users: [
${serviceNames.map((service) => userText(service, namespace, by)).join('\n')}
    # For people and backups.
    { ${by === 'nkey' ? 'nkey' : 'user: "operator", password'}: ${variableOf('operator', by)} }
  ]
}
`

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      namespace: { type: 'string' },
      nkeys: { type: 'boolean', default: false },
    },
  })
  if (values.namespace !== undefined || values.nkeys)
    process.stdout.write(permissionsText(values.namespace ?? 'stateeval', values.nkeys ? 'nkey' : 'password'))
  else
    writeOrCheck(
      { [join(root, 'deploy/helm/stateeval/files/nats/permissions.conf')]: permissionsText('stateeval') },
      { check: values.check, remedy: 'npx node scripts/nats-permissions.ts' },
    )
}
