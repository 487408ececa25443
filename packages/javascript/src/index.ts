export { BoundedParser, maxParsed, parse, TooDeep } from './parse.ts'
