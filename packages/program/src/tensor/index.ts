export * from './artifacts.ts'
export * from './dtypes.ts'
export * from './safetensors.ts'
export * from './value.ts'
