import { isPlainValue, PlainField } from '../../editor/PlainField.tsx'
import { YamlOnlyField } from '../../editor/YamlOnly.tsx'
import type { Pair } from '../../ui/form/pairs.ts'
import { PairsField } from '../../ui/form/PairsField.tsx'
import { toText } from '../../ui/form/toText.ts'
import type { FamilyField } from './familyForms.ts'

interface FamilyFieldInputProps {
  field: FamilyField
  /** As it stands in the spec; whatever that is. */
  value: unknown
  /** Of the field itself and below it. */
  error: string | undefined
  /** Of row `index` of pairs. */
  errorAt: (index: number) => string | undefined
  isReadOnly: boolean
  /** Undefined removes the field. */
  onChange: (value: unknown) => void
}

/** One field of a scraper, by its kind. */
export function FamilyFieldInput({ field, value, error, errorAt, isReadOnly, onChange }: FamilyFieldInputProps) {
  const { key: _key, isRequired, noun = 'value', ...words } = field
  const shared = { ...words, mark: isRequired ? ('required' as const) : undefined, error, isReadOnly }
  if (field.kind !== 'pairs') {
    return isPlainValue(field.kind, value) ? (
      <PlainField {...shared} kind={field.kind} value={value} onChange={onChange} />
    ) : (
      <YamlOnlyField {...shared} />
    )
  }
  const pairs = tryReadPairs(value)
  if (pairs === null) return <YamlOnlyField {...shared} />
  return (
    <PairsField
      {...shared}
      // What is wrong with a row is said beside it.
      error={pairs.some((_, index) => errorAt(index) !== undefined) ? undefined : error}
      noun={noun}
      value={pairs}
      errorAt={errorAt}
      onChange={(next) =>
        onChange(next.length === 0 ? undefined : next.map((pair) => ({ name: pair.key, value: pair.value })))
      }
    />
  )
}

const ROW_KEYS = new Set(['name', 'value'])

/** Null when the form could not show them without losing a part. */
function tryReadPairs(value: unknown): Pair[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return null
  const pairs: Pair[] = []
  for (const row of value as unknown[]) {
    if (typeof row !== 'object' || row === null || Object.keys(row).some((key) => !ROW_KEYS.has(key))) return null
    const { name, value: written } = row as { name?: unknown; value?: unknown }
    if (typeof name === 'object' || typeof written === 'object') return null
    pairs.push({ key: toText(name), value: toText(written) })
  }
  return pairs
}
