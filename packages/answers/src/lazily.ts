/** A value that is made when it is first asked for. */
export function makeLazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
