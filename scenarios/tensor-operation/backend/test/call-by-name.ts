/** Calls a method whose name is known only when the test runs, as a program does. */
export const callByName = (owner: object, name: string, ...args: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(owner, name) as (...args: unknown[]) => unknown, owner, args)
