import { ownValue } from '@watchroom/shared/kernel'

import type { FormValues } from './responderForm.ts'
import type { ResponderField } from './responderTypes.ts'

export interface FieldOption {
  readonly label: string
  readonly value: string
}

/** Fields that are chosen from what the ticket system offers. */
export const CHOSEN_FIELDS: ReadonlySet<ResponderField> = new Set([
  'configType',
  'project',
  'issueType',
  'priority',
  'plan_id',
  'bucket_id',
])

type Read = (config: unknown, values: FormValues) => readonly FieldOption[]

const READERS: Partial<Record<ResponderField, Read>> = {
  project: (config) => toOptions(listsAt(config, 'projects'), 'key'),
  issueType: (config, { project }) =>
    toOptions(listsAt(find(listsAt(config, 'projects'), 'key', project), 'issueTypes'), 'value'),
  plan_id: (config) => toOptions(listsAt(config, 'plans'), 'id'),
  bucket_id: (config, { plan_id: plan }) =>
    toOptions(listsAt(find(listsAt(config, 'plans'), 'id', plan), 'buckets'), 'id'),
  priority: (config) => toOptions(listsAt(config, 'priorities'), 'value'),
}

/**
 * What a ticket system offers for a field, read from the backend's record of it. Lists may be at any depth.
 * Anything unexpected gives no options.
 */
export function integrationOptions(field: ResponderField, config: unknown, values: FormValues): readonly FieldOption[] {
  return READERS[field]?.(config, values) ?? []
}

/** Entries of every list or map called `name` in a record, at any depth. */
function listsAt(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = key === name && typeof inner === 'object' && inner !== null ? Object.values(inner) : []
    return [...own, ...listsAt(inner, name)]
  })
}

function find(entries: readonly unknown[], key: string, value: string | undefined): unknown {
  return value ? entries.find((entry) => textAt(entry, key) === value) : undefined
}

/** Entries are texts themselves, or have a name and a value. */
function toOptions(entries: readonly unknown[], valueKey: string): FieldOption[] {
  const options = new Map<string, FieldOption>()
  for (const entry of entries) {
    const value = typeof entry === 'string' ? entry : textAt(entry, valueKey)
    if (value) options.set(value, { value, label: typeof entry === 'string' ? entry : textAt(entry, 'name') || value })
  }
  return [...options.values()]
}

function textAt(entry: unknown, key: string): string {
  if (typeof entry !== 'object' || entry === null) return ''
  const value = ownValue(entry as Record<string, unknown>, key)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
