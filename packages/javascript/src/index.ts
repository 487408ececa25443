export { BoundedParser, mostParsed, parse, TooDeep } from './parse.ts'
