// Values of parameters as a form holds them: texts, which is also how a run takes them. Pure.
import { SECRET_MASK } from '@watchroom/shared/kernel'
import { type Parameter, parameterFault, withSizeUnit } from '@watchroom/shared/playbooks'
import { stringify } from 'yaml'

import { WRITE_OPTIONS } from '../../../editor/readSpecText.ts'

export type ParameterValues = Readonly<Record<string, string>>

/** What the fields start with: what is known already, then what was run before, then the defaults. */
export function initialValues(parameters: readonly Parameter[], ...known: ParameterValues[]): ParameterValues {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const found = known.find((values) => Object.hasOwn(values, parameter.name))
      return [parameter.name, found?.[parameter.name] ?? toText(parameter, parameter.default)]
    }),
  )
}

/** Values of a run before, of those parameters that there still are. Secrets were not kept. */
export const toValues = (values: Readonly<Record<string, unknown>>): ParameterValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === SECRET_MASK ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  )

/** A default as its field shows it: of code, a value is written in the language of the field. */
function toText(parameter: Parameter, value: unknown): string {
  const { type, properties } = parameter
  if (value === null || value === undefined) return type === 'checkbox' ? 'false' : ''
  if (typeof value === 'string') return withSizeUnit(parameter, value)
  if (type !== 'code') return withSizeUnit(parameter, JSON.stringify(value))
  return properties?.language === 'json' ? JSON.stringify(value, null, 2) : stringify(value, WRITE_OPTIONS)
}

/** Why a value is invalid; null if it is valid. The server checks again. */
export function findFault(parameter: Parameter, value: string): string | null {
  const fault = parameterFault(parameter, value)
  if (fault !== null || value === '') return fault
  const { regex } = parameter.properties ?? {}
  if ((parameter.type ?? 'text') !== 'text' || regex === undefined || value.length > MAX_MATCHED || isCostly(regex))
    return null
  return toExpression(regex)?.test(value) === false ? `Must match ${regex}` : null
}

/** Longer texts are left to the server, whose regular expressions cannot run forever. */
const MAX_MATCHED = 200

/** Ways to match a text of that length, all of which are tried if none fits: more would freeze the page. */
const MAX_WAYS = 1_000_000

/** A repeated group, a back reference, or too many ways: what makes regular expressions in browsers run forever. */
const isCostly = (regex: string): boolean => /\)[*+{]|\\[1-9k]/.test(regex) || countWays(regex) > MAX_WAYS

/** At most, of an expression without repeated groups: each choice in it multiplies them. */
const countWays = (regex: string): number =>
  [...regex.matchAll(/[?|*+]|\{(\d+)(,?)(\d*)\}/g)].reduce((ways, [sign, least = '0', comma, most = '']) => {
    if (sign === '?' || sign === '|') return 2 * ways
    if (comma === '') return ways
    return ways * Math.max(1, (most === '' ? MAX_MATCHED : Math.min(Number(most), MAX_MATCHED)) - Number(least) + 1)
  }, 1)

function toExpression(regex: string): RegExp | null {
  try {
    return new RegExp(`^(?:${regex})$`, 'u')
  } catch {
    // Written for another engine.
    return null
  }
}
