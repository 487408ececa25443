/**
 * SwiftShader: a Vulkan driver that computes on the CPU, by which the code path of a GPU is tested without
 * one.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const folders = [join(homedir(), '.cache/stateeval/swiftshader'), '/usr/lib/chromium']
const folder = folders.find((path) => existsSync(join(path, 'vk_swiftshader_icd.json')))

export const whyNoSwiftShader =
  folder === undefined
    ? `there is no SwiftShader in ${folders.join(' or ')}; scripts/test gets it from Debian's chromium-common`
    : undefined

const plain = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
/** What finds it, and nothing else. */
export const swiftShader = {
  ...plain,
  LD_LIBRARY_PATH: folder,
  VK_DRIVER_FILES: folder && join(folder, 'vk_swiftshader_icd.json'),
}
/** A Vulkan loader and the driver that this file names. */
export const driver = (icd: string) => ({ ...swiftShader, VK_DRIVER_FILES: icd })
/** No Vulkan loader that anybody could find by a name. */
export const noVulkan = { ...plain, VK_DRIVER_FILES: '/nonexistent.json' }
