export { readOwnLimits } from './cgroup/own-limits.ts'
export { openCgroup } from './cgroup/cgroup.ts'
export {
  getForwardedPort,
  type JailCommand,
  type JailImage,
  buildJailCommand,
  getPort,
  type JailCapabilities,
} from './command.ts'
export { JailConnections } from './connections.ts'
export { findSandboxProcess } from './container-usage.ts'
export { type ContainerStarter, howToRunsc, findMissingContainers, openContainers } from './containers.ts'
export { type JailLayer, findMissingNetworks } from './layers.ts'
export { observeLayers } from './observe-layers.ts'
export { probe } from './probe.ts'
export {
  listChildren,
  listDescendants,
  readMemory,
  type ProcessUsage,
  measureUsage,
  sumUsage,
} from './process-tree.ts'
export { type ProcessExit, JailProcess } from './process.ts'
export { buildAddition, buildFilter, getArchitecture } from './seccomp/filter.ts'
export { childPolicy, forkerPolicy } from './seccomp/policy.ts'
export { type ExceededLimit, type IdleUsage, watch } from './watchdog.ts'
