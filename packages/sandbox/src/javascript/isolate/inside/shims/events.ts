/** The parts of EventEmitter that axios’s HTTP adapter uses. */
type Listener = (...args: unknown[]) => void

export class EventEmitter {
  readonly #listeners = new Map<string, { listener: Listener; once: boolean }[]>()
  #add(event: string, listener: Listener, once: boolean) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), { listener, once }])
    return this
  }
  on(event: string, listener: Listener) {
    return this.#add(event, listener, false)
  }
  once(event: string, listener: Listener) {
    return this.#add(event, listener, true)
  }
  emit(event: string, ...args: unknown[]): boolean {
    const listeners = this.#listeners.get(event) ?? []
    this.#listeners.set(
      event,
      listeners.filter(({ once }) => !once),
    )
    for (const { listener } of listeners) listener.apply(this, args)
    return listeners.length > 0
  }
  removeAllListeners() {
    this.#listeners.clear()
    return this
  }
}
