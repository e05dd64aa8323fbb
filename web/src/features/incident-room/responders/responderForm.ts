import { fillTemplate, type TemplateValues } from './fillTemplate.ts'
import type { ResponderField } from './responderTypes.ts'

/** Settings of a team for one responder type. */
export interface ResponderClient {
  /** Cannot be changed in the form. */
  readonly values: Readonly<Record<string, string>>
  /** Templates over the form's values and the incident. */
  readonly defaults: Readonly<Record<string, string>>
}

export type FormValues = Readonly<Partial<Record<ResponderField, string>>>

/** Fields that lose their value when another one changes: a project of one instance means nothing in another. */
const DEPENDENTS: Partial<Record<ResponderField, readonly ResponderField[]>> = {
  configType: ['project', 'issueType', 'plan_id', 'bucket_id'],
  project: ['issueType'],
  plan_id: ['bucket_id'],
}

/** What a person typed, after one more change. */
export function editField(edited: FormValues, field: ResponderField, value: string): FormValues {
  const next: Partial<Record<ResponderField, string>> = { ...edited, [field]: value }
  for (const dependent of DEPENDENTS[field] ?? []) next[dependent] = ''
  return next
}

/** The field that has to be chosen first. */
export const PARENTS: Partial<Record<ResponderField, ResponderField>> = {
  project: 'configType',
  issueType: 'project',
  plan_id: 'configType',
  bucket_id: 'plan_id',
}

/**
 * Values of all fields: fixed ones first, then what was typed, then defaults in the order of the fields, so that a
 * default can use those before it.
 */
export function toFormValues(
  fields: readonly ResponderField[],
  client: ResponderClient,
  edited: FormValues,
  incident: TemplateValues,
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const field of fields) {
    const given = client.values[field] ?? edited[field]
    if (given !== undefined) values[field] = given
  }
  for (const field of fields) {
    if (values[field] !== undefined) continue
    values[field] = fillTemplate(client.defaults[field] ?? '', { ...values, incident })
  }
  return values
}

/** Fields that still need a value. */
export function missingFields(
  fields: readonly ResponderField[],
  values: Readonly<Record<string, string>>,
): ReadonlySet<ResponderField> {
  return new Set(fields.filter((field) => (values[field] ?? '').trim() === ''))
}
