/** A change of FerretDB's sources. */
export interface Change {
  file: string
  /** Stands there once. */
  from: string
  to: string
}
