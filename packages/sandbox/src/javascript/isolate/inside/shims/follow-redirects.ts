/** Redirects need the real thing: the runner bails out on one. Until then a request is a plain request. */
import transport from './http.ts'

export const http = transport
export const https = transport
export default { http, https }
