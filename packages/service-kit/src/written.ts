/**
 * JSON that is serialized once: messages, stored outcomes and responses reuse the text of large values.
 * Serializing it each time took a tenth of a sample's cost.
 */

/** A value as its JSON text. */
export class JsonWritten {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Values without JSON, such as undefined, become null. */
export const write = (value: unknown): JsonWritten =>
  value instanceof JsonWritten ? value : new JsonWritten(JSON.stringify(value ?? null))

/** An object whose members may already be serialized; undefined members are left out. */
export const writeObject = (members: Readonly<Record<string, unknown>>): JsonWritten =>
  new JsonWritten(
    `{${Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${JSON.stringify(name)}:${write(value).text}`)
      .join(',')}}`,
  )
