export { buildSurfaceBundle } from './bundle-surface.ts'
export { createJavascript } from './runtime.ts'
