/** A job's payload can never succeed: the outcome is stored and answered, without retries. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
