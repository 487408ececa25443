/** How a call of a function ends badly. */

/** An error of Python: the function rejects its arguments. */
export class PyError extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}
export const throwTypeError = (message: string): never => {
  throw new PyError('TypeError', message)
}

/** It can't be computed here, whatever Python would say: such a run counts neither way. */
export class UnavailableError extends Error {
  override readonly name = 'Unavailable'
}
