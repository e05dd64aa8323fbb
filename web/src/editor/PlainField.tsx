import { toAmount } from '../ui/form/amount.ts'
import type { FieldProps } from '../ui/form/Field.tsx'
import { LinesField } from '../ui/form/LinesField.tsx'
import { DurationField, NumberField } from '../ui/form/NumberField.tsx'
import { SelectField } from '../ui/form/SelectField.tsx'
import { SwitchField } from '../ui/form/SwitchField.tsx'
import { TextField } from '../ui/form/TextField.tsx'
import { toText } from '../ui/form/toText.ts'

const PLAIN_KINDS = ['text', 'longText', 'code', 'lines', 'number', 'duration', 'switch', 'choice'] as const
export type PlainKind = (typeof PLAIN_KINDS)[number]

export const isPlainKind = (kind: string): kind is PlainKind => (PLAIN_KINDS as readonly string[]).includes(kind)

interface PlainFieldProps extends Omit<FieldProps<unknown>, 'value'> {
  kind: PlainKind
  /** As it stands in the spec; whatever that is. Changed to undefined it is removed. */
  value: unknown
  placeholder?: string | undefined
  options?: readonly string[] | undefined
  unit?: string | undefined
}

/** One field of a spec, of a kind that is edited by a single control. */
export function PlainField({ kind, value, onChange, options, unit, ...field }: PlainFieldProps) {
  const text = {
    ...field,
    value: toText(value),
    onChange: (next: string) => onChange(next === '' ? undefined : next),
  }
  switch (kind) {
    case 'text':
      return <TextField {...text} isSpelled={false} />
    case 'longText':
    case 'code':
      return <TextField {...text} isMultiline isCode={kind === 'code'} />
    case 'lines':
      return <LinesField {...field} value={value} onChange={onChange} />
    case 'number':
    case 'duration': {
      const Amount = kind === 'number' ? NumberField : DurationField
      return <Amount {...field} unit={unit} value={toAmount(toText(value))} onChange={onChange} />
    }
    case 'switch':
      return <SwitchField {...field} value={value === true} onChange={(isOn) => onChange(isOn || undefined)} />
    case 'choice': {
      const offered = options ?? []
      // In different case, or a value of another backend: shown as it is.
      const chosen = offered.find((option) => option.toLowerCase() === text.value.toLowerCase()) ?? text.value
      const placeholder = field.mark === 'required' ? 'Choose …' : 'Not set'
      return <SelectField {...text} value={chosen} options={offered} placeholder={placeholder} />
    }
  }
}

/** Whether its control can show the value without losing a part of it. */
export function isPlainValue(kind: PlainKind, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return kind === 'lines' && Array.isArray(value) && value.every((line) => typeof line !== 'object')
}
