/** A request in the world axios-capture: axios’s configuration after its own transformations. */
import type { JsonValue } from './basics/json.ts'

/** A file of a form: what a program can upload, by what tells it from others. */
export interface CapturedFile {
  filename?: string
  /** Its media type, where it has one. */
  type?: string
  size: number
  sha256: string
}
/** One part of a form; of a file, its value is no more than a rendering. */
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
  /** The program has a paramsSerializer of its own: `uri` has what it wrote. */
  serialized?: true
  /** The body after transformRequest: mostly a text. Of a form, its parts (CapturedPart). */
  data?: JsonValue
  /**
   * The kind of the body: string, object, FormData, form-data (the package with which axios makes forms),
   * ArrayBuffer …
   */
  dataType?: string
  auth?: JsonValue
}
