/** Any JSON value. `undefined`, functions and cycles never cross a process. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }
