/** The service: its contract, its routes and jobs, and what they share. */
import { loadTokens } from '@stateeval/program'
import { bindJob, defineService } from '@stateeval/service-kit'
import { operations } from './bodies.ts'
import { type EvaluationConfig, readConfig, settings } from './config.ts'
import { buildContext, type EvaluationContext, takeAllParts } from './context.ts'
import { serveDashboard } from './dashboard/files.ts'
import { serveSignIn } from './dashboard/sign-in.ts'
import { askJob } from './jobs/ask.ts'
import { deliverJob, sweepWebhooks } from '@stateeval/webhooks'
import { stepJob } from '@stateeval/jobs'
import { removeOldEpisodes } from '@stateeval/environment'
import { expire } from './projects/expire.ts'
import { removeClosedProjects } from '@stateeval/administration'
import { removeExpired } from './projects/tidy.ts'
import { handlers } from './routes/index.ts'

export const evaluation = defineService<EvaluationConfig, EvaluationContext>({
  name: 'evaluation',
  description: 'Coordinates the pipeline: builds benchmarks, evaluates models and writes reports.',
  settings,
  readConfig,
  async buildContext(platform, config) {
    // A build counts tokens; loading their encoding then would hold up requests.
    await loadTokens()
    return buildContext(platform, config)
  },
  operations,
  bodies: new URL('./bodies.ts', import.meta.url),
  handlers,
  jobs: () => [
    bindJob(stepJob, takeAllParts),
    bindJob(askJob, takeAllParts),
    bindJob(deliverJob, ({ webhooks }: EvaluationContext) => webhooks),
  ],
  async sweep(context, signal) {
    const { webhooks, environment } = context
    const parts = takeAllParts(context)
    // First: the engine stops watching what has ended.
    await sweepWebhooks({ ...parts, ...webhooks }, signal)
    await parts.engine.sweep(signal)
    await removeExpired({ ...parts, webhooks, environment }, signal)
    await removeOldEpisodes({ ...parts, ...environment, ...environment.documents }, signal)
    await context.sessionTidy.sweep()
    await environment.streams.blocks.sweep()
  },
  async extend(app, { settings: { signIn }, platform: { access } }) {
    await serveDashboard(app)
    serveSignIn(app, signIn, access)
  },
  expire: (context, ...asked) =>
    expire({ ...takeAllParts(context), environment: context.environment }, ...asked),
  async sweepInstallation(context, signal) {
    context.jobs.capacity.look()
    await context.jobs.waits.look()
    await removeClosedProjects(takeAllParts(context), signal)
  },
  async close({ environment, threads: { threads, searchThreads, compareThreads } }) {
    environment.streams.blocks.close()
    environment.episodes.episodes.close()
    await threads.close()
    await searchThreads.close()
    await compareThreads.close()
  },
})
