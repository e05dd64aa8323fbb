// The fields of a connection as someone edits them, and what is saved of them. Pure.
import { SECRET_MASK } from '@watchroom/shared/kernel'
import {
  type ConnectionField,
  type ConnectionRow,
  ConnectionRowSchema,
  type ConnectionSummary,
  type ConnectionType,
  type ConnectionValues,
  decodeConnection,
  type EncodedConnection,
  encodeConnection,
  isShown,
  newConnection,
} from '@watchroom/shared/settings/connections'
import { z } from 'zod'

import { type Credential } from '../../ui/form/credential.ts'
import { NUMBER_TEXT, REQUIRED_TEXT } from '../../ui/form/rules.ts'
import { toCredential, toCredentialText } from './credentialText.ts'

export type FieldValue = string | boolean | Credential
/** By the names of fields, beside `name` and `namespace`. */
export type ConnectionFields = Record<string, FieldValue>

/** Of a field that is a text. */
export const textOf = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '')

const DEFAULT_NAMESPACE = 'default'
const MAX_PORT = 65_535

const CredentialSchema = z.object({
  source: z.enum(['value', 'secretKeyRef', 'configMapKeyRef']),
  text: z.string(),
  name: z.string(),
  key: z.string(),
})

/** What may be saved of a type. Faults stand at their fields. */
export const toSchema = (type: ConnectionType) =>
  z.record(z.string(), z.union([z.string(), z.boolean(), CredentialSchema])).superRefine((fields, context) => {
    const values = toPlain(fields)
    const faults = [
      ...['name', 'namespace'].flatMap((name) => (textOf(fields[name]).trim() === '' ? [[name, REQUIRED_TEXT]] : [])),
      ...type.fields
        .filter((field) => isShown(field, values))
        .flatMap((field) => findFaults(field, fields[field.name])),
    ]
    for (const [path = '', message] of faults) context.addIssue({ code: 'custom', path: path.split('.'), message })
  })

function findFaults({ name, kind, isRequired }: ConnectionField, value: FieldValue = ''): string[][] {
  if (typeof value === 'boolean') return []
  if (typeof value === 'object' && value.source !== 'value') {
    return (['name', 'key'] as const).flatMap((part) =>
      value[part].trim() === '' ? [[`${name}.${part}`, REQUIRED_TEXT]] : [],
    )
  }
  const text = (typeof value === 'object' ? value.text : value).trim()
  if (text === '') return isRequired ? [[name, REQUIRED_TEXT]] : []
  return kind === 'number' ? findNumberFault(text).map((message) => [name, message]) : []
}

function findNumberFault(text: string): string[] {
  if (!/^-?\d+$/.test(text)) return [NUMBER_TEXT]
  if (Number(text) < 0) return ['This field must be at least 0']
  return Number(text) > MAX_PORT ? [`This field must be at most ${MAX_PORT}`] : []
}

export const newFields = (type: ConnectionType): ConnectionFields => ({
  name: '',
  namespace: DEFAULT_NAMESPACE,
  ...toFieldValues(type, newConnection(type)),
})

export const toFields = (type: ConnectionType, row: ConnectionSummary): ConnectionFields => ({
  name: row.name,
  namespace: row.namespace || DEFAULT_NAMESPACE,
  ...toFieldValues(type, decodeConnection(type, row)),
})

/** A column that is not in a row. */
export const EMPTY_ROW: ConnectionRow = {
  url: null,
  username: null,
  password: null,
  certificate: null,
  insecure_tls: false,
  properties: null,
}

/** The fields as an earlier version had them. What names the connection stays. */
export const toFormerFields = (
  type: ConnectionType,
  row: ConnectionSummary,
  former: Readonly<Record<string, unknown>>,
): ConnectionFields => toFields(type, { ...row, ...EMPTY_ROW, ...ConnectionRowSchema.parse(former) })

const toFieldValues = (type: ConnectionType, values: ConnectionValues): ConnectionFields =>
  Object.fromEntries(
    type.fields.map(({ name, kind }) => {
      const value = values[name] ?? ''
      return [name, kind === 'secret' ? toCredential(String(value)) : value]
    }),
  )

/** As rows have it: credentials as texts. */
export const toPlain = (fields: ConnectionFields): ConnectionValues =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'object' ? toCredentialText(value) : value]),
  )

export const toRow = (type: ConnectionType, fields: ConnectionFields, former?: ConnectionSummary): EncodedConnection =>
  encodeConnection(type, toPlain(fields), former)

/** A version as one text, to be compared with another. What is secret is not in it. */
export function toComparable(type: ConnectionType, fields: ConnectionFields): string {
  const values = toPlain(fields)
  return type.fields
    .filter((field) => isShown(field, values))
    .flatMap(({ name, label, kind }) => {
      const value = String(values[name] ?? '')
      const isHidden = (kind === 'secret' || kind === 'key') && value !== '' && value !== SECRET_MASK
      return value === '' ? [] : [`${label}: ${isHidden ? '(entered anew)' : value}`]
    })
    .join('\n')
}
