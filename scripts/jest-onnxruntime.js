/** Stands for onnxruntime-node in tests, see jest-environment.js. */
export const { InferenceSession, Tensor, listSupportedBackends } =
  globalThis.__loadOutside('onnxruntime-node')
