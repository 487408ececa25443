/** `initial` describes no world. The message names the field and what to change. */
export class InitialError extends Error {
  override readonly name = 'InitialError'
}
