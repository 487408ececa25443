/** A job's payload can never succeed: the outcome is stored and answered, without retries. */
export class JobRefusal extends Error {
  override readonly name = 'Refusal'
}
