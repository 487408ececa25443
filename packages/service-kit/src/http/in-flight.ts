/** Requests that are being served, which a stopping service waits for. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onOver } from './over.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its responses end with their readers only, so nobody waits for them. */
    endless?: true
  }
}

const isEndless = ({ routeOptions }: FastifyRequest) => routeOptions.config.endless !== true

export class InFlight {
  #count = 0
  #none = Promise.withResolvers<void>()

  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      if (isEndless(request)) this.#count++
      done()
    })
    onOver(app, (request) => {
      if (!isEndless(request) || --this.#count > 0) return
      this.#none.resolve()
      this.#none = Promise.withResolvers()
    })
  }
  /** Resolves when none is being served. */
  async over(): Promise<void> {
    if (this.#count > 0) await this.#none.promise
  }
}
