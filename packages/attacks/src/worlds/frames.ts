/** Frames of the call channel, written past the surface to the descriptor itself: only a process has one. */
const call = (id: number | string, name: string, args: string) =>
  `\u0001${id} [${JSON.stringify(name)},${args}]`

/** Calls one after another, without reading a reply. */
export const writeCalls = (name: string, args: string, times = 1) =>
  `const frame = (text) => { const body = Buffer.from(text); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); return Buffer.concat([head, body]) }; const fs = require('fs'); const whole = frame(${JSON.stringify(call(1, name, args))}); for (let n = 0; n < ${times}; n++) for (let at = 0; at < whole.length;) try { at += fs.writeSync(4, whole, at) } catch (error) { if (error.code !== 'EAGAIN') throw error }\n`

export const writePythonCalls = (name: string, args: string, times = 1) =>
  `import os, struct\nbody = ${JSON.stringify(call(1, name, args))}.encode()\nwhole = struct.pack(">I", len(body)) + body\nfor _ in range(${times}):\n    os.write(3, whole)\n`
