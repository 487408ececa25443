/**
 * JSON that is written once: what is large stands in a message, in a stored outcome and in an answer as the
 * text that it has already. Writing it anew for each took a tenth of what a sample costs.
 */

/** A value as its JSON text. */
export class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What has no JSON, such as undefined, is null. */
export const write = (value: unknown): Written =>
  value instanceof Written ? value : new Written(JSON.stringify(value ?? null))

/** An object whose members may be written already; those that are undefined are left out. */
export const writeObject = (members: Readonly<Record<string, unknown>>): Written =>
  new Written(
    `{${Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${JSON.stringify(name)}:${write(value).text}`)
      .join(',')}}`,
  )
