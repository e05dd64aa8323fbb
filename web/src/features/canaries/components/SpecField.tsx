import { type ReactNode, useState } from 'react'

import { isPlainKind, PlainField } from '../../../editor/PlainField.tsx'
import { YamlOnlyField } from '../../../editor/YamlOnly.tsx'
import { NO_CREDENTIAL } from '../../../ui/form/credential.ts'
import { CredentialField } from '../../../ui/form/CredentialField.tsx'
import type { FieldProps } from '../../../ui/form/Field.tsx'
import type { Pair } from '../../../ui/form/pairs.ts'
import { PairsField } from '../../../ui/form/PairsField.tsx'
import { SizeField } from '../../../ui/form/SizeField.tsx'
import { toText } from '../../../ui/form/toText.ts'
import type { CheckField } from '../spec/checkFields.ts'
import { toNamedValue, toWrittenCredential, tryReadCredential } from '../spec/credential.ts'
import { findLimit } from '../spec/findLimit.ts'
import { NO_TEMPLATE, tryReadTemplate } from '../spec/template.ts'
import { CodesField } from './CodesField.tsx'
import { ConnectionField } from './ConnectionField.tsx'
import { TemplateField } from './TemplateField.tsx'

export interface SpecFieldProps {
  field: CheckField
  /** As it stands in the spec; whatever that is. */
  value: unknown
  /** What is wrong with the field or anything below it. */
  error: string | undefined
  /** Errors of the field itself (empty) and below it, by the rest of their path. */
  errorAt: (rest: string) => string | undefined
  isReadOnly: boolean
  /** Undefined removes the field. */
  onChange: (value: unknown) => void
}

/** One field of a check, by its kind. */
export function SpecField(props: SpecFieldProps): ReactNode {
  const { field, value, errorAt, isReadOnly, onChange } = props
  const frame = { label: field.label, mark: field.isRequired ? ('required' as const) : undefined, error: props.error }
  if (!isEditable(field, value)) return <YamlOnlyField {...frame} />
  const shared = { ...frame, help: describeHelp(field, value), isReadOnly }
  const text = {
    ...shared,
    value: toText(value),
    onChange: (next: string) => onChange(next === '' ? undefined : next),
    placeholder: field.placeholder,
  }
  const { kind, options, unit } = field
  if (isPlainKind(kind)) return <PlainField {...text} {...{ kind, options, unit, value, onChange }} />
  switch (kind) {
    case 'connection':
      return <ConnectionField {...text} types={field.connectionTypes ?? []} />
    case 'size':
      return <SizeField {...text} />
    case 'credential': {
      const isWrapped = typeof value === 'object' && value !== null && 'value' in value
      return (
        <CredentialField
          {...text}
          value={tryReadCredential(value) ?? NO_CREDENTIAL}
          isSecret={field.isSecret === true}
          errorAt={(part) => referenceError(errorAt, part)}
          onChange={(next) => onChange(toWrittenCredential(next, isWrapped))}
        />
      )
    }
    case 'codes':
      return (
        <CodesField
          {...shared}
          value={Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]}
          onChange={(codes) => onChange(codes.length === 0 ? undefined : codes)}
        />
      )
    case 'template':
      return <TemplateField {...shared} value={tryReadTemplate(value) ?? NO_TEMPLATE} onChange={onChange} />
    case 'pairs':
      return <NamedValues {...shared} {...props} error={errorAt('')} />
    case 'labels':
      return <LabelsField {...shared} {...props} error={errorAt('')} />
  }
}

function describeHelp(field: CheckField, value: unknown): string | undefined {
  const isExpression = field.kind === 'template' && tryReadTemplate(value)?.kind === 'expr'
  const texts = [field.help, isExpression ? field.variables : undefined, findLimit(field, value)]
  return texts.filter((text) => text !== undefined).join(' ') || undefined
}

const SECRET_NAME = /pass|secret|token|credential|authorization|cookie|api[_-]?key|private/i

/** The error of a reference's part, whatever it refers to. */
const referenceError = (errorAt: SpecFieldProps['errorAt'], part: 'name' | 'key'): string | undefined =>
  errorAt(`valueFrom.secretKeyRef.${part}`) ?? errorAt(`valueFrom.configMapKeyRef.${part}`)

type RowsProps = SpecFieldProps & Pick<FieldProps<unknown>, 'label' | 'help' | 'mark'>

/** Names and values, written as a list or as a map; a change makes it a list, which can hold a row that is not finished. */
function NamedValues({ field, errorAt, value, onChange, ...shared }: RowsProps) {
  return (
    <PairsField
      {...shared}
      noun={field.noun ?? 'value'}
      value={tryReadPairs(value) ?? []}
      errorAt={(index) => errorAt(`${index}.name`) ?? errorAt(`${index}.value`) ?? errorAt(String(index))}
      referenceError={(index, part) => referenceError((rest) => errorAt(`${index}.${rest}`), part)}
      isSecret={(key) => SECRET_NAME.test(key)}
      onChange={(next) =>
        onChange(
          next.length === 0
            ? undefined
            : next.map(({ key, value: text, credential }) => ({
                name: key,
                ...(credential ? toNamedValue(credential) : { value: text }),
              })),
        )
      }
    />
  )
}

/** Null when the form could not show them without losing a part. */
function tryReadPairs(value: unknown): Pair[] | null {
  const rows = Array.isArray(value)
    ? value.map((row: unknown) => (typeof row === 'object' && row !== null ? row : null))
    : Object.entries((value ?? {}) as Record<string, unknown>).map(([name, text]) => ({ name, value: text }))
  const pairs: Pair[] = []
  for (const row of rows) {
    const { name, ...rest } = (row ?? {}) as { name?: unknown }
    const credential = tryReadCredential(Object.keys(rest).length === 0 ? '' : rest)
    if (row === null || credential === null || typeof name === 'object') return null
    pairs.push({ key: toText(name), value: credential.text, credential })
  }
  return pairs
}

/** Labels are a map, so rows without a key are kept here until they have one. */
function LabelsField({ field, errorAt, value, onChange, ...shared }: RowsProps) {
  const written = Object.entries((value ?? {}) as Record<string, unknown>).map(([key, text]) => ({
    key,
    value: toText(text),
  }))
  const [rows, setRows] = useState<readonly Pair[]>(written)
  const shown = JSON.stringify(toMap(rows)) === JSON.stringify(toMap(written)) ? rows : written
  return (
    <PairsField
      {...shared}
      noun={field.noun ?? 'label'}
      value={shown}
      errorAt={(index) => {
        const key = shown[index]?.key ?? ''
        const isTwice = key !== '' && shown.findIndex((row) => row.key === key) < index
        return isTwice ? 'This key is already used' : errorAt(key)
      }}
      onChange={(next) => {
        setRows(next)
        const map = toMap(next)
        onChange(Object.keys(map).length === 0 ? undefined : map)
      }}
    />
  )
}

/** The first of two rows with one key counts, so that typing a second one changes nothing. */
function toMap(rows: readonly Pair[]): Record<string, string> {
  const map = new Map<string, string>()
  for (const { key, value } of rows) if (key !== '' && !map.has(key)) map.set(key, value)
  return Object.fromEntries(map)
}

/** Whether the form can show the value without losing a part of it; else it is left to the YAML view. */
function isEditable({ kind }: CheckField, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (kind === 'credential') return tryReadCredential(value) !== null
  if (kind === 'template') return tryReadTemplate(value) !== null
  if (kind === 'pairs') return tryReadPairs(value) !== null
  const isFlat = Object.values(value).every((part) => typeof part !== 'object')
  return isFlat && (Array.isArray(value) ? kind === 'codes' || kind === 'lines' : kind === 'labels')
}
