/** The used part of negotiator, whose package has no types. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | string[] | undefined> })
    /** The media types that the request accepts, the most wanted first. */
    mediaTypes(available: readonly string[]): string[]
  }
}
