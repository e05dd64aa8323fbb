// What a run is given: what people chose, and defaults for the rest. Asked on the server whatever the form asked.
import { failed, ok, ownValue, type Result, SECRET_MASK } from '@watchroom/shared/kernel'
import { type Parameter, parameterFault, parameterLabel, withSizeUnit } from '@watchroom/shared/playbooks'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { TemplateFault } from '../../step-runner/templateFault.ts'
import { fillTemplate, isTrue, type Scope } from '../../step-runner/templates.ts'

export interface Given {
  /** As they are stored: secrets are `***`. */
  readonly shown: Readonly<Record<string, string>>
  readonly secret: Readonly<Record<string, string>>
}

/** Parameters with their defaults filled in, as a form shows them. @throws TemplateFault */
export async function fillDefaults(
  parameters: readonly Parameter[],
  scope: Scope,
  lookUp: LookUp,
): Promise<Parameter[]> {
  const filled: Parameter[] = []
  for (const parameter of parameters) {
    const { default: value } = parameter
    filled.push(
      typeof value === 'string' ? { ...parameter, default: await fillTemplate(value, scope, lookUp) } : parameter,
    )
  }
  return filled
}

/** @returns what is wrong, in words for whoever asked for the run */
export async function fillParameters(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, string>>,
  scope: Scope,
  lookUp: LookUp,
): Promise<Result<Given, string>> {
  const names = parameters.map(({ name }) => name)
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    return failed(`unknown parameter(s): ${unknown.join(', ')}, valid parameters are: ${names.join(', ') || 'none'}`)
  }
  const shown = new Map<string, string>()
  const secret = new Map<string, string>()
  const missing: string[] = []
  for (const parameter of await fillDefaults(parameters, scope, lookUp)) {
    const { name, default: preset, required, type } = parameter
    const value = ownValue(given, name) ?? withSizeUnit(parameter, toText(preset))
    if (value === '' && required === true) missing.push(name)
    const fault = parameterFault(parameter, value) ?? (await regexFault(parameter, value, lookUp))
    if (fault !== null && !missing.includes(name)) return failed(`${parameterLabel(parameter)}: ${fault}`)
    const isSecret = type === 'secret' || parameter.properties?.format === 'password'
    shown.set(name, isSecret && value !== '' ? SECRET_MASK : value)
    if (isSecret) secret.set(name, value)
  }
  if (missing.length > 0) return failed(`missing required parameter(s): ${missing.join(', ')}`)
  return ok({ shown: Object.fromEntries(shown), secret: Object.fromEntries(secret) })
}

/** Evaluated where an expression without end is ended. */
async function regexFault({ properties, type }: Parameter, value: string, lookUp: LookUp): Promise<string | null> {
  const regex = properties?.regex
  if (regex === undefined || value === '' || (type ?? 'text') !== 'text') return null
  try {
    const expression = 'value.matches(pattern)'
    const matches = await isTrue(expression, { value, pattern: `^(?:${regex})$` }, lookUp)
    return matches ? null : `Must match ${regex}`
  } catch (error) {
    if (error instanceof TemplateFault) return `The expression ${regex} cannot be asked: ${error.message}`
    throw error
  }
}

const toText = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
