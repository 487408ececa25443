/**
 * ONNX Runtime without its telemetry. Since 1.29 its builds for Linux send events to their vendor, and keep a
 * device number and a database in the user’s cache folder.
 */
import './no-telemetry.ts'

export { InferenceSession, Tensor } from 'onnxruntime-node'
