/** A request in the world axios-capture: axios’s configuration after its own transformations. */
import type { JsonValue } from './basics/json.ts'

/** A file that a program uploads in a form, with the facts that distinguish it. */
export interface CapturedFile {
  filename?: string
  /** Its media type, where it has one. */
  type?: string
  size: number
  sha256: string
}
/** One part of a form; the value of a file is only a rendering. */
export type CapturedPart = [name: string, value: string] | [name: string, value: string, file: CapturedFile]

/** Undefined members are missing; the rest is converted to JSON, as in a recording of the configuration. */
export interface CapturedRequest {
  method: string
  /** The URL as the program gave it: not joined with baseURL, not decoded. */
  url?: string
  baseURL?: string
  /**
   * The full address: with baseURL and params, as axios writes them. Absent where axios cannot determine it.
   */
  uri?: string
  headers: Record<string, JsonValue>
  params?: JsonValue
  /** The program has its own paramsSerializer, whose text is in `uri`. */
  serialized?: true
  /** The body after transformRequest: mostly a text; for a form, its parts (CapturedPart). */
  data?: JsonValue
  /**
   * The kind of the body: string, object, FormData, form-data (the package with which axios makes forms),
   * ArrayBuffer …
   */
  dataType?: string
  auth?: JsonValue
}
