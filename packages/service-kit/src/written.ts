/**
 * JSON that is serialized once: messages, stored outcomes and responses reuse the text of large values.
 * Serializing it each time took a tenth of a sample's cost.
 */

/** A value as its JSON text. */
export class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Values without JSON, such as undefined, become null. */
export const write = (value: unknown): Written =>
  value instanceof Written ? value : new Written(JSON.stringify(value ?? null))

/** An object whose members may already be serialized; undefined members are left out. */
export const writeObject = (members: Readonly<Record<string, unknown>>): Written =>
  new Written(
    `{${Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${JSON.stringify(name)}:${write(value).text}`)
      .join(',')}}`,
  )
