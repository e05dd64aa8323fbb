import { z } from 'zod'

import { assertNever, isUuid } from '../kernel/index.ts'
import type { Parameter } from './parameter.ts'
import { tryParseSize } from './sizeInBytes.ts'

/** Which demand on a parameter its text does not meet. Leaves out the regular expression: see `regexFault`. */
export function parameterFault(parameter: Parameter, text: string): string | null {
  if (text === '') return parameter.required ? 'This field is required' : null
  const properties = parameter.properties ?? {}
  switch (parameter.type ?? 'text') {
    case 'checkbox':
      return text === 'true' || text === 'false' ? null : 'Must be true or false'
    case 'list':
      return properties.options?.some(({ value }) => value === text) === false ? 'Must be one of the options' : null
    case 'people':
    case 'team':
    case 'component':
    case 'config':
    case 'check':
      return isUuid(text) ? null : 'Must be an id'
    default:
      return textFault(properties, text)
  }
}

type Properties = NonNullable<Parameter['properties']>

function textFault({ format, min, max, minLength, maxLength }: Properties, text: string): string | null {
  if (minLength !== undefined && text.length < minLength) return `Must have at least ${minLength} characters`
  if (maxLength !== undefined && text.length > maxLength) return `Must have at most ${maxLength} characters`
  const kind = toKnownFormat(format)
  const fault = formatFault(kind, text)
  if (fault !== null) return fault
  if (kind === 'bytes') return sizeFault(text, min, max)
  const amount = kind === null || kind === 'number' ? Number(text) : Number.parseFloat(text)
  const isAmount = kind === 'number' || kind === 'millicores' || (kind === null && hasBounds(min, max))
  if (!isAmount) return null
  if (Number.isNaN(amount)) return 'Must be a number'
  if (min !== undefined && amount < Number(min)) return `Must be at least ${min}`
  if (max !== undefined && amount > Number(max)) return `Must be at most ${max}`
  return null
}

type Bound = Properties['min']

const hasBounds = (min: Bound, max: Bound): boolean => min !== undefined || max !== undefined

/** Compared as what they are: 1Gi is more than 512Mi. */
function sizeFault(text: string, min: Bound, max: Bound): string | null {
  const size = tryParseSize(text) ?? 0
  const [least, most] = [min, max].map((bound) => (typeof bound === 'number' ? `${bound}Mi` : bound))
  if (least !== undefined && size < (tryParseSize(least) ?? 0)) return `Must be at least ${least}`
  if (most !== undefined && size > (tryParseSize(most) ?? Infinity)) return `Must be at most ${most}`
  return null
}

const FORMATS = ['bytes', 'millicores', 'dns1123', 'number', 'email', 'url'] as const
type KnownFormat = (typeof FORMATS)[number]

const toKnownFormat = (format?: string): KnownFormat | null => FORMATS.find((known) => known === format) ?? null

function formatFault(format: KnownFormat | null, text: string): string | null {
  switch (format) {
    case null:
      return null
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? null : 'Must be a number'
    case 'bytes':
      return tryParseSize(text) === null ? 'Must be a number with Mi, Gi or Ti' : null
    case 'millicores':
      return /^\d+m$/.test(text) ? null : 'Must be a number of millicores, for example 500m'
    case 'dns1123':
      return text.length <= 253 && DNS_NAME.test(text)
        ? null
        : 'Must be lower case letters, digits and -, in labels separated by dots'
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? null : 'Must be an e-mail address'
    case 'url':
      return z.url().safeParse(text).success ? null : 'Must be a URL'
    default:
      return assertNever(format, 'format')
  }
}

const DNS_LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?'
const DNS_NAME = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`)
