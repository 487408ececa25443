export { createMcpServer } from './mcp-server.ts'
export { createStudio, type Studio } from './studio.ts'
export { createElevenLabsWorld, createElevenLabsWorld as createWorld } from './world.ts'
