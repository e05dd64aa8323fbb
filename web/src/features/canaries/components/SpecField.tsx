import { HTMLSelect, InputGroup, Switch, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'

import type { CheckField } from '../spec/checkFields.ts'
import { toNamedValue, toWrittenCredential, tryReadCredential } from '../spec/credential.ts'
import { findLimit } from '../spec/findLimit.ts'
import { tryReadTemplate } from '../spec/template.ts'
import { toText } from '../spec/toText.ts'
import { CodesInput } from './CodesInput.tsx'
import { CredentialInput } from './CredentialInput.tsx'
import { type ControlProps, describeField, FieldFrame } from './FieldFrame.tsx'
import { type Pair, PairRows } from './PairRows.tsx'
import { SizeInput } from './SizeInput.tsx'
import { TemplateInput } from './TemplateInput.tsx'
import { toAmount, useOwnText } from './useOwnText.ts'

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
export function SpecField(props: SpecFieldProps) {
  const { field, value, isReadOnly } = props
  const id = useId()
  if (!isEditable(field, value)) return <FromYaml id={id} field={field} error={props.error} />
  // Rows show what is wrong with them themselves.
  const error = ROW_KINDS.has(field.kind) ? props.errorAt('') : props.error
  const help = describeHelp(field, value)
  return (
    <FieldFrame
      id={id}
      label={field.label}
      help={help}
      error={error}
      isRequired={field.isRequired}
      isSelfLabelled={field.kind === 'switch'}
      isGroup={ROW_KINDS.has(field.kind)}
    >
      <Control {...props} id={id} described={describeField(id, help, error)} isReadOnly={isReadOnly} />
    </FieldFrame>
  )
}

function describeHelp(field: CheckField, value: unknown): string | undefined {
  const isExpression = field.kind === 'template' && tryReadTemplate(value)?.kind === 'expr'
  const texts = [field.help, isExpression ? field.variables : undefined, findLimit(field, value)]
  return texts.filter((text) => text !== undefined).join(' ') || undefined
}

const ROW_KINDS: ReadonlySet<CheckField['kind']> = new Set(['pairs', 'labels'])

interface KindProps extends SpecFieldProps {
  id: string
  described: ControlProps['described']
}

function Control({ id, described, field, value, errorAt, isReadOnly, onChange }: KindProps): ReactNode {
  const input = { id, placeholder: isReadOnly ? '' : (field.placeholder ?? ''), readOnly: isReadOnly, ...described }
  const changeText = (text: string): void => onChange(text === '' ? undefined : text)
  switch (field.kind) {
    case 'text':
      return <InputGroup fill {...input} autoComplete="off" value={toText(value)} onValueChange={changeText} />
    case 'longText':
    case 'code':
      return (
        <TextArea
          fill
          autoResize
          {...input}
          className={field.kind === 'code' ? 'canary-code wr-mono' : ''}
          spellCheck={field.kind !== 'code'}
          value={toText(value)}
          onChange={(event) => changeText(event.currentTarget.value)}
        />
      )
    case 'number':
    case 'duration':
      return <AmountInput field={field} input={input} value={value} onChange={onChange} />
    case 'switch':
      return (
        <Switch
          id={id}
          {...described}
          className="canary-switch"
          label={field.label}
          checked={value === true}
          disabled={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.checked ? true : undefined)}
        />
      )
    case 'choice':
      return (
        <ChoiceInput
          id={id}
          described={described}
          field={field}
          value={toText(value)}
          isReadOnly={isReadOnly}
          onChange={changeText}
        />
      )
    case 'size':
      return (
        <SizeInput
          id={id}
          label={field.label}
          value={toText(value)}
          described={described}
          isReadOnly={isReadOnly}
          onChange={changeText}
        />
      )
    case 'credential': {
      const credential = tryReadCredential(value)
      if (credential === null) return null
      return (
        <CredentialInput
          id={id}
          label={field.label}
          credential={credential}
          isSecret={field.isSecret === true}
          isReadOnly={isReadOnly}
          described={described}
          errorAt={(part) => referenceError(errorAt, part)}
          onChange={(next) =>
            onChange(toWrittenCredential(next, typeof value === 'object' && value !== null && 'value' in value))
          }
        />
      )
    }
    case 'codes':
      return (
        <CodesInput
          id={id}
          label={field.label}
          codes={Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]}
          isReadOnly={isReadOnly}
          described={described}
          onChange={(codes) => onChange(codes.length === 0 ? undefined : codes)}
        />
      )
    case 'template': {
      const template = tryReadTemplate(value)
      if (template === null) return null
      return (
        <TemplateInput
          id={id}
          label={field.label}
          template={template}
          isReadOnly={isReadOnly}
          described={described}
          onChange={onChange}
        />
      )
    }
    case 'texts':
      return <TextsInput input={input} value={value} onChange={onChange} />
    case 'pairs':
      return (
        <PairsInput
          noun={field.noun ?? 'value'}
          label={field.label}
          value={value}
          errorAt={errorAt}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      )
    case 'labels':
      return (
        <LabelsInput
          noun={field.noun ?? 'label'}
          label={field.label}
          value={value}
          errorAt={errorAt}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      )
  }
}

interface InputProps {
  input: { id: string; placeholder: string; readOnly: boolean } & ControlProps['described']
  value: unknown
  onChange: (value: unknown) => void
}

/** A number, or a text with a unit where the field allows one. What is no number is kept, and the form says what is wrong. */
function AmountInput({ field, input, value, onChange }: InputProps & { field: CheckField }) {
  const [text, setText] = useOwnText(toText(value), (written) => JSON.stringify(toAmount(written)))
  return (
    <InputGroup
      fill
      {...input}
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      value={text}
      {...(field.unit === undefined ? {} : { rightElement: <span className="canary-unit">{field.unit}</span> })}
      onValueChange={(next) => {
        setText(next)
        onChange(toAmount(next))
      }}
    />
  )
}

interface ChoiceInputProps {
  id: string
  described: ControlProps['described']
  field: CheckField
  value: string
  isReadOnly: boolean
  onChange: (text: string) => void
}

function ChoiceInput({ id, described, field, value, isReadOnly, onChange }: ChoiceInputProps) {
  const options = field.options ?? []
  // Written in another case, or a value of another backend: shown as it is.
  const chosen = options.find((option) => option.toLowerCase() === value.toLowerCase()) ?? value
  return (
    <HTMLSelect
      fill
      id={id}
      {...described}
      value={chosen}
      disabled={isReadOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{field.isRequired ? 'Choose …' : 'Not set'}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
      {chosen === '' || options.includes(chosen) ? null : <option>{chosen}</option>}
    </HTMLSelect>
  )
}

/** One text per line. */
function TextsInput({ input, value, onChange }: InputProps) {
  const parse = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')
  const written = Array.isArray(value) ? value.map(toText).join('\n') : toText(value)
  const [text, setText] = useOwnText(written, (shown) => JSON.stringify(parse(shown)))
  return (
    <TextArea
      fill
      autoResize
      {...input}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        const lines = parse(event.currentTarget.value)
        onChange(lines.length === 0 ? undefined : lines)
      }}
    />
  )
}

interface RowsProps {
  noun: string
  label: string
  value: unknown
  errorAt: (rest: string) => string | undefined
  isReadOnly: boolean
  onChange: (value: unknown) => void
}

const SECRET_NAME = /pass|secret|token|credential|authorization|cookie|api[_-]?key|private/i

/** The error of a reference's part, whatever it refers to. */
const referenceError = (errorAt: RowsProps['errorAt'], part: 'name' | 'key'): string | undefined =>
  errorAt(`valueFrom.secretKeyRef.${part}`) ?? errorAt(`valueFrom.configMapKeyRef.${part}`)

/** Names and values, written as a list or as a map; a change makes it a list, which can hold a row that is not finished. */
function PairsInput({ noun, label, value, errorAt, isReadOnly, onChange }: RowsProps) {
  return (
    <PairRows
      noun={noun}
      label={label}
      pairs={tryReadPairs(value) ?? []}
      isReadOnly={isReadOnly}
      errors={(index) => errorAt(`${index}.name`) ?? errorAt(`${index}.value`) ?? errorAt(String(index))}
      referenceError={(index, part) => referenceError((rest) => errorAt(`${index}.${rest}`), part)}
      isSecret={(key) => SECRET_NAME.test(key)}
      onChange={(next) =>
        onChange(
          next.length === 0
            ? undefined
            : next.map(({ key, value, credential }) => ({
                name: key,
                ...(credential ? toNamedValue(credential) : { value }),
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

/** Labels are a map: rows without a key wait here until they have one. */
function LabelsInput({ noun, label, value, errorAt, isReadOnly, onChange }: RowsProps) {
  const written = Object.entries((value ?? {}) as Record<string, unknown>).map(([key, text]) => ({
    key,
    value: toText(text),
  }))
  const [rows, setRows] = useState<readonly Pair[]>(written)
  const shown = JSON.stringify(toMap(rows)) === JSON.stringify(toMap(written)) ? rows : written
  return (
    <PairRows
      noun={noun}
      label={label}
      pairs={shown}
      isReadOnly={isReadOnly}
      errors={(index) => {
        const key = shown[index]?.key ?? ''
        return shown.findIndex((row) => row.key === key) < index && key !== ''
          ? 'This key is already used'
          : errorAt(key)
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
  const map: Record<string, string> = {}
  for (const { key, value } of rows) if (key !== '' && !Object.hasOwn(map, key)) map[key] = value
  return map
}

/** Whether the form can show the value without losing a part of it; else it is left to the YAML view. */
function isEditable({ kind }: CheckField, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (kind === 'credential') return tryReadCredential(value) !== null
  if (kind === 'template') return tryReadTemplate(value) !== null
  if (kind === 'pairs') return tryReadPairs(value) !== null
  const isFlat = (parts: readonly unknown[]): boolean => parts.every((part) => typeof part !== 'object')
  if (Array.isArray(value)) return (kind === 'codes' || kind === 'texts') && isFlat(value)
  return kind === 'labels' && isFlat(Object.values(value))
}

function FromYaml({ id, field, error }: { id: string; field: CheckField; error: string | undefined }) {
  return (
    <FieldFrame id={id} label={field.label} error={error} isRequired={field.isRequired}>
      <span id={id} className="wr-muted">
        Has a form that only the YAML view shows.
      </span>
    </FieldFrame>
  )
}
