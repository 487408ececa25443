/**
 * The dashboard's built files. They are public because they contain no data: the dashboard requests data
 * with the caller's key.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import staticFiles from '@fastify/static'
import { ProblemError } from '@stateeval/contracts'
import { pageHeaders, sendProblem, toProblem } from '@stateeval/service-kit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Output folder of `node apps/dashboard/build.ts`. */
const builtFiles = resolve(import.meta.dirname, '../../../../apps/dashboard/dist')

/** Paths of views: each is the same page, which reads its path. */
const views = [
  ...['/', '/evaluations', '/evaluations/*', '/compare', '/sign-in'],
  ...['/benchmarks', '/benchmarks/*', '/operations'],
] as const

const notBuilt =
  'the dashboard is not built; in the checkout, run: node apps/dashboard/build.ts (npx stateeval up runs it automatically). The API is described at /docs'

/** Placeholder for the data of a page that opens from disk. */
const placeOfData = '<!-- data -->'

/** The page that opens from disk, split where its data go; null if the dashboard is not built. */
export async function readFileFrame(folder = builtFiles): Promise<readonly [string, string] | null> {
  const page = await readFile(join(folder, 'file.html'), 'utf8').catch(() => null)
  const at = page?.indexOf(placeOfData) ?? -1
  return page === null || at < 0 ? null : [page.slice(0, at), page.slice(at + placeOfData.length)]
}

/**
 * Serves the page at the paths of its views, and its files, whose names contain their hash, under /assets/.
 */
export async function serveDashboard(app: FastifyInstance, folder = builtFiles): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(staticFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
      setHeaders: (reply) => void reply.header('x-content-type-options', 'nosniff'),
    })
    const page = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(pageHeaders)
      if (!existsSync(join(folder, 'index.html')))
        return sendProblem(reply, toProblem(new ProblemError('unavailable', notBuilt), request))
      return reply.sendFile('index.html', folder, { cacheControl: false })
    }
    for (const url of views) scope.get(url, { schema: { hide: true } }, page)
  })
}
