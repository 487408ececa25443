/**
 * `initial` does not describe a valid world, or the world cannot take a variable. The message names the field
 * and the remedy.
 */
export class InitialError extends Error {
  override readonly name = 'InitialError'
}
