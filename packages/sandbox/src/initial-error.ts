/** `initial` does not describe a valid world. The message names the field and the remedy. */
export class InitialError extends Error {
  override readonly name = 'InitialError'
}
