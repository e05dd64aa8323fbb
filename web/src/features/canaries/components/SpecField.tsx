import { HTMLSelect, InputGroup, Switch, TextArea } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'

import { IconButton } from '../../../ui/IconButton.tsx'
import type { CheckField } from '../spec/checkFields.ts'
import { describeField, FieldFrame } from './FieldFrame.tsx'
import { type Pair, PairRows } from './PairRows.tsx'
import { SizeInput } from './SizeInput.tsx'
import { useOwnText } from './useOwnText.ts'

export interface SpecFieldProps {
  field: CheckField
  /** As it stands in the spec; whatever that is. */
  value: unknown
  error: string | undefined
  /** Errors below the field, by the rest of their path. */
  errorAt: (rest: string) => string | undefined
  isReadOnly: boolean
  /** Undefined removes the field. */
  onChange: (value: unknown) => void
}

/** One field of a check, by its kind. */
export function SpecField(props: SpecFieldProps) {
  const { field, value, error, isReadOnly } = props
  const id = useId()
  if (!isEditable(field, value)) return <FromYaml id={id} field={field} error={error} />
  const isPlain = field.kind !== 'pairs' && field.kind !== 'labels'
  const { help } = field
  return (
    <FieldFrame
      id={id}
      label={field.label}
      help={help}
      error={error ?? (isPlain ? undefined : props.errorAt(''))}
      isRequired={field.isRequired}
      isSelfLabelled={field.kind === 'switch'}
    >
      <Control {...props} id={id} described={describeField(id, help, error)} isReadOnly={isReadOnly} />
    </FieldFrame>
  )
}

interface ControlProps extends SpecFieldProps {
  id: string
  described: ReturnType<typeof describeField>
}

function Control({ id, described, field, value, errorAt, isReadOnly, onChange }: ControlProps): ReactNode {
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
    case 'secret':
      return <SecretInput input={input} value={value} onChange={onChange} label={field.label} />
    case 'numbers':
      return <NumbersInput input={input} value={value} onChange={onChange} />
    case 'texts':
      return <TextsInput input={input} value={value} onChange={onChange} />
    case 'pairs':
      return (
        <PairsInput
          noun={field.key === 'env' ? 'variable' : 'header'}
          value={value}
          errorAt={errorAt}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      )
    case 'labels':
      return <LabelsInput value={value} errorAt={errorAt} isReadOnly={isReadOnly} onChange={onChange} />
  }
}

interface InputProps {
  input: { id: string; placeholder: string; readOnly: boolean } & ReturnType<typeof describeField>
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

function toAmount(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^-?\d+(?:\.\d*)?$/.test(trimmed) ? Number(trimmed) : trimmed
}

interface ChoiceInputProps {
  id: string
  described: ReturnType<typeof describeField>
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

/** A password, hidden until asked for. `{value: …}` stays that way. */
function SecretInput({ input, value, label, onChange }: InputProps & { label: string }) {
  const [isShown, setShown] = useState(false)
  const isWrapped = typeof value === 'object' && value !== null
  const text = isWrapped && 'value' in value ? toText(value.value) : toText(value)
  return (
    <InputGroup
      fill
      {...input}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      value={text}
      onValueChange={(next) => onChange(next === '' ? undefined : isWrapped ? { value: next } : next)}
      rightElement={
        <IconButton
          icon={isShown ? <EyeOff /> : <EyeOpen />}
          label={isShown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}

/** Numbers in one line, parted by commas or spaces. */
function NumbersInput({ input, value, onChange }: InputProps) {
  const parse = (text: string): unknown[] =>
    text
      .split(/[\s,]+/)
      .filter((part) => part !== '')
      .map(toAmount)
  const written = Array.isArray(value) ? value.map(toText).join(', ') : toText(value)
  const [text, setText] = useOwnText(written, (shown) => JSON.stringify(parse(shown)))
  return (
    <InputGroup
      fill
      {...input}
      inputMode="decimal"
      value={text}
      onValueChange={(next) => {
        setText(next)
        const numbers = parse(next)
        onChange(numbers.length === 0 ? undefined : numbers)
      }}
    />
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
  value: unknown
  errorAt: (rest: string) => string | undefined
  isReadOnly: boolean
  onChange: (value: unknown) => void
}

const SECRET_NAME = /pass|secret|token|credential|authorization|cookie|api[_-]?key|private/i

/** Names and values, written as a list or as a map; a change makes it a list, which can hold a row that is not finished. */
function PairsInput({ noun, value, errorAt, isReadOnly, onChange }: RowsProps & { noun: string }) {
  const pairs: Pair[] = Array.isArray(value)
    ? value.map((pair: unknown) => ({ key: toText(fieldOf(pair, 'name')), value: toText(fieldOf(pair, 'value')) }))
    : Object.entries((value ?? {}) as Record<string, unknown>).map(([key, text]) => ({ key, value: toText(text) }))
  return (
    <PairRows
      noun={noun}
      pairs={pairs}
      isReadOnly={isReadOnly}
      errors={(index) => errorAt(`${index}.name`) ?? errorAt(`${index}.value`) ?? errorAt(String(index))}
      isSecret={(key) => SECRET_NAME.test(key)}
      onChange={(next) =>
        onChange(next.length === 0 ? undefined : next.map((pair) => ({ name: pair.key, value: pair.value })))
      }
    />
  )
}

/** Labels are a map: rows without a key wait here until they have one. */
function LabelsInput({ value, errorAt, isReadOnly, onChange }: RowsProps) {
  const written = Object.entries((value ?? {}) as Record<string, unknown>).map(([key, text]) => ({
    key,
    value: toText(text),
  }))
  const [rows, setRows] = useState<readonly Pair[]>(written)
  const shown = JSON.stringify(toMap(rows)) === JSON.stringify(toMap(written)) ? rows : written
  return (
    <PairRows
      noun="label"
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

const fieldOf = (data: unknown, key: string): unknown =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Whether the form can show the value without losing a part of it; else it is left to the YAML view. */
function isEditable({ kind }: CheckField, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const isFlat = (parts: readonly unknown[]): boolean => parts.every((part) => typeof part !== 'object')
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    if (kind === 'pairs') return items.every((pair) => typeof pair === 'object' && isFlat([fieldOf(pair, 'value')]))
    return (kind === 'numbers' || kind === 'texts') && isFlat(items)
  }
  if (kind === 'secret') return Object.keys(value).join(',') === 'value'
  return (kind === 'pairs' || kind === 'labels') && isFlat(Object.values(value))
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
