/**
 * Files that a program may read although the jail has none: those of its task, in its working folder. Other
 * paths are the jail's own.
 */
import { Readable } from 'node:stream'
import type * as Fs from 'node:fs'

const { hasOwn } = Object

/** `fs` with these files, by name; what can be read is read as usual, and nothing can be written there. */
export function withFiles(fs: typeof Fs, files: Readonly<Record<string, string>>): typeof Fs {
  const textOf = (path: unknown): string | undefined => {
    const name = String(path).replace(/^(file:\/\/)?(\.\/|\/)?/, '')
    return hasOwn(files, name) ? files[name] : undefined
  }
  const encodingOf = (options: unknown) =>
    typeof options === 'string'
      ? options
      : ((options as { encoding?: string | null } | null | undefined)?.encoding ?? null)
  const contentOf = (text: string, options: unknown) => {
    const encoding = encodingOf(options)
    return encoding === null ? Buffer.from(text) : Buffer.from(text).toString(encoding as BufferEncoding)
  }
  const statsOf = (text: string) => ({
    size: Buffer.byteLength(text),
    isFile: () => true,
    isDirectory: () => false,
  })
  const promises = {
    ...fs.promises,
    readFile: async (path: unknown, options?: unknown) => {
      const text = textOf(path)
      return text === undefined
        ? fs.promises.readFile(path as string, options as null)
        : contentOf(text, options)
    },
    stat: async (path: unknown) => {
      const text = textOf(path)
      return text === undefined ? fs.promises.stat(path as string) : statsOf(text)
    },
  }
  return {
    ...fs,
    promises,
    existsSync: (path: unknown) => textOf(path) !== undefined || fs.existsSync(path as string),
    statSync: (path: unknown, options?: unknown) => {
      const text = textOf(path)
      return text === undefined ? fs.statSync(path as string, options as undefined) : statsOf(text)
    },
    readFileSync: (path: unknown, options?: unknown) => {
      const text = textOf(path)
      return text === undefined ? fs.readFileSync(path as string, options as null) : contentOf(text, options)
    },
    readFile: (path: unknown, ...rest: unknown[]) => {
      const done = rest.pop() as (error: unknown, data?: unknown) => void
      promises.readFile(path, rest[0]).then((data) => done(null, data), done)
    },
    createReadStream: (path: unknown, options?: unknown) => {
      const text = textOf(path)
      if (text === undefined) return fs.createReadStream(path as string, options as undefined)
      // Packages that make forms take the file's name from here.
      return Object.assign(Readable.from([Buffer.from(text)], { objectMode: false }), { path: String(path) })
    },
    openAsBlob: async (path: unknown, options?: { type?: string }) => {
      const text = textOf(path)
      return text === undefined ? fs.openAsBlob(path as string, options) : new Blob([text], options)
    },
  } as unknown as typeof Fs
}
