export { createMcpServer } from './mcp-server.ts'
export { createStudio, type StudioServer } from './studio.ts'
export { createElevenLabsWorld, createElevenLabsWorld as createWorld } from './world.ts'
