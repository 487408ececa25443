export { URL } from '../url.ts'
export { URLSearchParams } from '../url-search-params.ts'
