/**
 * The list of scenarios, in the order in which they are shown: a scenario is a folder and a line here.
 * Folders are named by the scenario's id.
 */
export const folders = ['session-service', 'tensor-operation', 'elevenlabs-mcp'] as const
