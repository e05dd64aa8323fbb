// What the form of a scraper shows of its retention. Pure.
import type { FamilyField } from './familyForms.ts'

interface RetentionList {
  readonly key: 'changes' | 'types'
  readonly title: string
  readonly noun: string
  readonly columns: readonly Pick<FamilyField, 'key' | 'label' | 'kind' | 'placeholder'>[]
}

/** Rules of the retention, one a row. */
export const RETENTION_LISTS: readonly RetentionList[] = [
  {
    key: 'changes',
    title: 'Changes to keep',
    noun: 'change rule',
    columns: [
      { key: 'name', label: 'Name', kind: 'text', placeholder: 'diff' },
      { key: 'age', label: 'Age', kind: 'text', placeholder: '30d' },
      { key: 'count', label: 'Count', kind: 'number', placeholder: '100' },
    ],
  },
  {
    key: 'types',
    title: 'Items to keep',
    noun: 'type rule',
    columns: [
      { key: 'name', label: 'Name', kind: 'text', placeholder: 'Kubernetes::Pod' },
      { key: 'createdAge', label: 'Created age', kind: 'text', placeholder: '30d' },
      { key: 'updatedAge', label: 'Updated age', kind: 'text', placeholder: '7d' },
      { key: 'deletedAge', label: 'Deleted age', kind: 'text', placeholder: '1d' },
    ],
  },
]

export const STALE = {
  key: 'staleItemAge',
  label: 'Stale item age',
  kind: 'text',
  placeholder: '24h',
  help: 'When to delete an item its agent no longer reports; keep means never.',
} as const

export const asMap = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])

export function rowsOf(retention: unknown, key: string): readonly unknown[] {
  const rows = asMap(retention).get(key)
  return Array.isArray(rows) ? rows : []
}

/** Places that have a field. */
export const retentionPlaces = (retention: unknown): string[] => [
  `retention.${STALE.key}`,
  ...RETENTION_LISTS.flatMap(({ key, columns }) =>
    rowsOf(retention, key).flatMap((_, index) => columns.map((column) => `retention.${key}.${index}.${column.key}`)),
  ),
]
