/** Must be imported before ONNX Runtime, which reads this when its library is loaded. */
process.env['ORT_DISABLE_TELEMETRY'] = '1'
