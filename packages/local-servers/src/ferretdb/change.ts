/** A change of FerretDB's sources. */
export interface SourceChange {
  file: string
  /** Stands there once. */
  from: string
  to: string
}
