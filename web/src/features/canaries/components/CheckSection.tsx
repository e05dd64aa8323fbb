import { Button, Collapse } from '@blueprintjs/core'
import { ChevronDown, ChevronRight, Trash } from '@blueprintjs/icons'
import { type CheckType, isRunnableType } from '@watchroom/shared/health/check-types'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { faultBelow } from '../../../editor/faultBelow.ts'
import { CheckTypeIcon } from '../../../ui/CheckTypeIcon.tsx'
import { FieldGrid } from '../../../ui/form/FieldGrid.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { type CheckField, toCheckFields } from '../spec/checkFields.ts'
import { CHECK_FORMS, type FieldGroup, GROUPS } from '../spec/checkForms.ts'
import { describeNoRunner } from '../spec/findLimit.ts'
import { SpecField } from './SpecField.tsx'

import styles from '../canaries.module.css'

export interface CheckSectionProps {
  type: CheckType
  check: unknown
  /** Errors within this check by dotted path; an error of the check itself has the empty path. */
  errors: ReadonlyMap<string, string>
  /** Keys of the check that the form does not know. */
  unknownKeys: readonly string[]
  isOpenAtFirst: boolean
  isReadOnly: boolean
  /** Why it cannot be changed, or what it cannot do; shown above its fields. */
  note: string | null
  onRemove: (() => void) | null
  onChange: (field: string, value: unknown) => void
}

const LAST_GROUPS: ReadonlySet<FieldGroup> = new Set(['result', 'access', 'about'])

/** One check of a canary: its fields in groups. */
export function CheckSection(props: CheckSectionProps) {
  const { type, check, unknownKeys, note, onRemove } = props
  const [wish, setWish] = useState(props.isOpenAtFirst)
  const bodyId = useId()
  const values = (typeof check === 'object' && check !== null ? check : {}) as Readonly<Record<string, unknown>>
  const fields = toCheckFields(type)
  // Errors must be visible, even if the section was folded.
  const isOpen = wish || props.errors.size > 0
  const title = nameOf(type, values)
  return (
    <section className={styles['check']} aria-label={title}>
      <header className={styles['checkHeader']}>
        <button
          type="button"
          className={styles['checkToggle']}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setWish(!isOpen)}
        >
          {isOpen ? <ChevronDown /> : <ChevronRight />}
          <CheckTypeIcon type={type} size={16} />
          <span className={styles['checkTitle']}>{title}</span>
          <span className={`${styles['checkType']} wr-muted`}>{CHECK_FORMS[type].title}</span>
        </button>
        {onRemove === null ? null : <IconButton icon={<Trash />} label={`Remove ${title}`} onClick={onRemove} />}
      </header>
      <Collapse isOpen={isOpen}>
        <div className={styles['checkBody']} id={bodyId}>
          {note === null ? null : <p className={styles['note']}>{note}</p>}
          {isRunnableType(type) ? null : <p className={styles['note']}>{describeNoRunner(type)}</p>}
          {(Object.keys(GROUPS) as FieldGroup[]).map((group) => (
            <Group key={group} group={group} of={title} fields={fields} values={values} section={props} />
          ))}
          {unknownKeys.length === 0 ? null : (
            <p className={styles['unknown']}>
              {`Kept from YAML, unknown to this form: ${unknownKeys.join(', ')}. Watchroom’s own runner rejects them.`}
            </p>
          )}
        </div>
      </Collapse>
    </section>
  )
}

interface GroupProps {
  group: FieldGroup
  /** Name of the check, because other checks have groups of the same name. */
  of: string
  fields: readonly CheckField[]
  values: Readonly<Record<string, unknown>>
  section: CheckSectionProps
}

function Group({ group, of, fields, values, section }: GroupProps) {
  const shown = fields.filter((field) => field.group === group && isShown(field, values))
  const isUsed = shown.some(({ key }) => values[key] !== undefined || faultBelow(section.errors, key) !== undefined)
  const [wish, setWish] = useState(isUsed)
  const root = useRef<HTMLFieldSetElement>(null)
  if (shown.length === 0) return null
  const isFolded = LAST_GROUPS.has(group) && !wish && !isUsed
  const name = GROUPS[group]
  return (
    <fieldset className={styles['group']} aria-label={`${name}: ${of}`} ref={root}>
      <legend>{name}</legend>
      {isFolded ? (
        <Button
          size="small"
          variant="minimal"
          icon={<ChevronRight />}
          aria-label={`Show ${name.toLowerCase()}`}
          text={shown.map(({ label }) => label.toLowerCase()).join(', ')}
          onClick={() => {
            // The button disappears, so the focus moves to the first field for keyboard users.
            flushSync(() => setWish(true))
            root.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
          }}
        />
      ) : (
        <FieldGrid>
          {shown.map((field) => (
            <div key={field.key} data-wide={isWide(field, values[field.key]) || undefined}>
              <SpecField
                field={field}
                value={values[field.key]}
                error={faultBelow(section.errors, field.key)}
                errorAt={(rest) => section.errors.get(rest === '' ? field.key : `${field.key}.${rest}`)}
                isReadOnly={section.isReadOnly}
                onChange={(value) => section.onChange(field.key, value)}
              />
            </div>
          ))}
        </FieldGrid>
      )}
    </fieldset>
  )
}

const WIDE: ReadonlySet<CheckField['kind']> = new Set(['code', 'codes', 'longText', 'pairs', 'labels'])

/** A template needs room once it is one. */
const isWide = ({ key, kind, group }: CheckField, value: unknown): boolean =>
  WIDE.has(kind) || key === 'url' || (kind === 'template' && (value !== undefined || group === 'verdict'))

function isShown({ key, onlyWith }: CheckField, values: Readonly<Record<string, unknown>>): boolean {
  if (onlyWith === undefined || values[key] !== undefined) return true
  const other = values[onlyWith.field]
  return onlyWith.values.includes(typeof other === 'string' ? other.toUpperCase() : other)
}

/** What people call the check: its name, else the first thing that says what it looks at. */
function nameOf(type: CheckType, values: Readonly<Record<string, unknown>>): string {
  const target = toCheckFields(type).find(({ group, isRequired }) => group === 'target' && isRequired)
  for (const key of ['name', target?.key ?? '']) {
    const text = values[key]
    if (typeof text === 'string' && text.trim() !== '') return text.trim().split('\n')[0] ?? ''
  }
  return `New ${CHECK_FORMS[type].title} check`
}
