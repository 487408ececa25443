export { ownLimits } from './cgroup/own-limits.ts'
export { openCgroup } from './cgroup/cgroup.ts'
export {
  forwardedPort,
  type JailCommand,
  type JailImage,
  jailCommand,
  portIn,
  type JailCapabilities,
} from './command.ts'
export { JailConnections } from './connections.ts'
export { sandboxProcess } from './container-usage.ts'
export { type ContainerStarter, howToRunsc, lackingContainers, openContainers } from './containers.ts'
export { type JailLayer, lackingOwnNetworks } from './layers.ts'
export { observeLayers } from './observe-layers.ts'
export { probe } from './probe.ts'
export { childrenOf, descendants, memoryOf, type ProcessUsage, usage, usageOf } from './process-tree.ts'
export { type ProcessExit, JailProcess } from './process.ts'
export { assembleAddition, assembleFilter, thisArch } from './seccomp/filter.ts'
export { childPolicy, forkerPolicy } from './seccomp/policy.ts'
export { type ExceededLimit, type IdleUsage, watch } from './watchdog.ts'
