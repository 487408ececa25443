export { ownLimits } from './cgroup/own-limits.ts'
export { openCgroup } from './cgroup/cgroup.ts'
export {
  forwardedPort,
  type JailCommand,
  type JailImage,
  jailCommand,
  portIn,
  type Walls,
} from './command.ts'
export { Connections } from './connections.ts'
export { sandboxProcess } from './container-usage.ts'
export { type Containers, howToRunsc, lackingContainers, openContainers } from './containers.ts'
export { type Layer, lackingOwnNetworks } from './layers.ts'
export { observeLayers } from './observe-layers.ts'
export { probe } from './probe.ts'
export { childrenOf, descendants, memoryOf, type Usage, usage, usageOf } from './process-tree.ts'
export { type Exit, JailProcess } from './process.ts'
export { assembleAddition, assembleFilter, thisArch } from './seccomp/filter.ts'
export { childPolicy, forkerPolicy } from './seccomp/policy.ts'
export { type Excess, type Idle, watch } from './watchdog.ts'
