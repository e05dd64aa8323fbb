import { YamlOnlyField } from '../../editor/YamlOnly.tsx'
import { toAmount } from '../../ui/form/amount.ts'
import { LinesField } from '../../ui/form/LinesField.tsx'
import { NumberField } from '../../ui/form/NumberField.tsx'
import type { Pair } from '../../ui/form/pairs.ts'
import { PairsField } from '../../ui/form/PairsField.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
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
  const frame = {
    label: field.label,
    mark: field.isRequired ? ('required' as const) : undefined,
    error,
    help: field.help,
  }
  if (!isEditable(field, value)) return <YamlOnlyField {...frame} />
  const shared = { ...frame, isReadOnly, placeholder: field.placeholder }
  const text = {
    ...shared,
    value: toText(value),
    onChange: (next: string) => onChange(next === '' ? undefined : next),
  }
  switch (field.kind) {
    case 'text':
      return <TextField {...text} isSpelled={false} />
    case 'code':
      return <TextField {...text} isMultiline isCode />
    case 'lines':
      return <LinesField {...shared} value={value} onChange={onChange} />
    case 'number':
      return <NumberField {...shared} value={toAmount(toText(value))} onChange={onChange} />
    case 'switch':
      return (
        <SwitchField
          {...frame}
          isReadOnly={isReadOnly}
          value={value === true}
          onChange={(isOn) => onChange(isOn || undefined)}
        />
      )
    case 'choice':
      return <SelectField {...text} options={field.options} placeholder={field.isRequired ? 'Choose …' : 'Not set'} />
    case 'pairs': {
      const pairs = tryReadPairs(value) ?? []
      return (
        <PairsField
          {...frame}
          // What is wrong with a row is said beside it.
          error={pairs.some((_, index) => errorAt(index) !== undefined) ? undefined : error}
          isReadOnly={isReadOnly}
          noun={field.noun ?? 'value'}
          value={pairs}
          errorAt={errorAt}
          onChange={(next) =>
            onChange(next.length === 0 ? undefined : next.map((pair) => ({ name: pair.key, value: pair.value })))
          }
        />
      )
    }
  }
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

function isEditable({ kind }: FamilyField, value: unknown): boolean {
  if (kind === 'pairs') return tryReadPairs(value) !== null
  if (typeof value !== 'object' || value === null) return true
  return kind === 'lines' && Array.isArray(value) && value.every((line) => typeof line !== 'object')
}
