/** Models declared in a file: a JSON object of settings by name. */
import { type BuiltInModel, builtInModels, ModelName, ModelSettings } from '@stateeval/contracts'
import { findSettingsFault, type ModelRules } from './settings.ts'

/** How a value is held against a schema: the chassis brings its validator. */
type FaultOf = (
  schema: typeof ModelSettings | typeof ModelName,
  value: unknown,
) => { field: string; says: string } | null

/** The file's models by name. Throws an error with the file, the model, the field and a remedy. */
export function readModels(
  file: string,
  text: string,
  rules: ModelRules,
  faultOf: FaultOf,
): Map<string, ModelSettings> {
  const refuse = (where: string, says: string): never => {
    throw new Error(`${file}${where && `, ${where}`}: ${says}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuse('', `is not valid JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return refuse(
      '',
      'must be an object of models by name, such as {"mine": {"baseUrl": "http://127.0.0.1:8000/v1", "model": "…"}}',
    )
  const models = new Map<string, ModelSettings>()
  for (const [name, settings] of Object.entries(value)) {
    if (faultOf(ModelName, name))
      refuse(JSON.stringify(name), 'names may contain only letters, digits, dots, dashes and underscores')
    if (builtInModels.includes(name as BuiltInModel)) refuse(name, 'is a built-in model; choose another name')
    const fault = faultOf(ModelSettings, settings)
    if (fault) refuse(`${name}${fault.field}`, fault.says)
    const wrong = findSettingsFault(settings as ModelSettings, rules)
    if (wrong) refuse(`${name}${wrong.field}`, wrong.says)
    models.set(name, settings as ModelSettings)
  }
  return models
}
