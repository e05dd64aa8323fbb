import { Button, HTMLSelect, InputGroup, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { CHECK_TYPES, type CheckType, isCheckType, SEVERITIES } from '@watchroom/shared/health/check-types'
import { useId } from 'react'

import { HEAD, type Draft } from '../draft.ts'
import { CHECK_FORMS } from '../spec/checkForms.ts'
import type { SpecFinding } from '../spec/findProblems.ts'
import { addCheckText, editSpecText, removeCheckText } from '../spec/specText.ts'
import { NEW_CHECKS } from '../spec/templates.ts'
import { CheckIcon } from './CheckIcon.tsx'
import { CheckSection } from './CheckSection.tsx'
import { describeField, FieldFrame } from './FieldFrame.tsx'
import { PairRows } from './PairRows.tsx'
import { ScheduleField } from './ScheduleField.tsx'

export interface CanaryFormProps {
  draft: Draft
  spec: Readonly<Record<string, unknown>>
  /** Those that are to be shown now. */
  findings: readonly SpecFinding[]
  isReadOnly: boolean
  onChange: (draft: Draft) => void
}

/** From this many checks on all are folded at first. */
const MANY_CHECKS = 4

/** Canary and checks as fields. Writes into the YAML text, so nothing that it does not know is lost. */
export function CanaryForm({ draft, spec, findings, isReadOnly, onChange }: CanaryFormProps) {
  const errors = new Map(
    findings.filter(({ level }) => level === 'error').map(({ path, message }) => [path.join('.'), message]),
  )
  const setText = (text: string): void => onChange({ ...draft, text })
  const edit = (path: readonly (string | number)[], value: unknown): void =>
    setText(editSpecText(draft.text, path, value))
  const checks = listChecks(spec)
  const unknown = findings.filter(({ level }) => level === 'warning')
  return (
    <div className="canary-form">
      <section className="canary-card" aria-label="Schedule">
        <div className="canary-grid">
          <ScheduleField
            spec={spec}
            errors={{ schedule: errors.get('schedule'), interval: errors.get('interval') }}
            isReadOnly={isReadOnly}
            onChange={({ schedule, interval }) =>
              setText(editSpecText(editSpecText(draft.text, ['schedule'], schedule), ['interval'], interval))
            }
          />
          <SeverityField
            value={spec['severity']}
            error={errors.get('severity')}
            isReadOnly={isReadOnly}
            onChange={(value) => edit(['severity'], value)}
          />
        </div>
      </section>
      {checks.map(({ type, index, check }) => (
        <CheckSection
          key={`${type}.${index}`}
          type={type}
          check={check}
          errors={errorsOf(findings, type, index)}
          unknownKeys={unknown
            .filter(({ path }) => path[0] === type && path[1] === index)
            .map(({ path }) => path.slice(2).join('.'))}
          isOpenAtFirst={checks.length < MANY_CHECKS}
          isReadOnly={isReadOnly}
          onChange={(field, value) => edit([type, index, field], value)}
          onRemove={() => setText(removeCheckText(draft.text, type, index))}
        />
      ))}
      <OtherKeys spec={spec} />
      {isReadOnly ? null : <AddCheck onAdd={(type) => setText(addCheckText(draft.text, type, NEW_CHECKS[type]))} />}
    </div>
  )
}

/** Errors of one check, by their place in it. */
const errorsOf = (findings: readonly SpecFinding[], type: CheckType, index: number): ReadonlyMap<string, string> =>
  new Map(
    findings
      .filter(({ level, path }) => level === 'error' && path[0] === type && path[1] === index)
      .map(({ path, message }) => [path.slice(2).join('.'), message]),
  )

interface ListedCheck {
  type: CheckType
  index: number
  check: unknown
}

/** In the order of the text. */
function listChecks(spec: Readonly<Record<string, unknown>>): ListedCheck[] {
  return Object.entries(spec).flatMap(([type, checks]) =>
    isCheckType(type) && Array.isArray(checks) ? checks.map((check: unknown, index) => ({ type, index, check })) : [],
  )
}

const OWN_KEYS = new Set<string>(['schedule', 'interval', 'severity', ...CHECK_TYPES])

/** What the spec holds beside what has fields here. */
function OtherKeys({ spec }: { spec: Readonly<Record<string, unknown>> }) {
  const others = Object.keys(spec).filter((key) => !OWN_KEYS.has(key))
  if (others.length === 0) return null
  return <p className="canary-unknown">{`Kept as they are, to be changed in the YAML view: ${others.join(', ')}.`}</p>
}

interface SeverityFieldProps {
  value: unknown
  error: string | undefined
  isReadOnly: boolean
  onChange: (value: string | undefined) => void
}

function SeverityField({ value, error, isReadOnly, onChange }: SeverityFieldProps) {
  const id = useId()
  const help = 'Of each check that has none of its own.'
  return (
    <FieldFrame id={id} label="Severity" help={help} error={error}>
      <HTMLSelect
        fill
        id={id}
        {...describeField(id, help, error)}
        value={typeof value === 'string' ? value : ''}
        disabled={isReadOnly}
        onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      >
        <option value="">Not set</option>
        {SEVERITIES.map((severity) => (
          <option key={severity}>{severity}</option>
        ))}
      </HTMLSelect>
    </FieldFrame>
  )
}

function AddCheck({ onAdd }: { onAdd: (type: CheckType) => void }) {
  return (
    <PopoverNext
      placement="bottom-start"
      content={
        <Menu aria-label="Kind of check">
          {CHECK_TYPES.map((type) => (
            <MenuItem
              key={type}
              icon={<CheckIcon type={type} />}
              text={CHECK_FORMS[type].title}
              onClick={() => onAdd(type)}
            />
          ))}
        </Menu>
      }
    >
      <Button icon={<Plus />} text="Add another check" />
    </PopoverNext>
  )
}

export interface CanaryHeadProps {
  draft: Draft
  errors: ReadonlyMap<string, string>
  /** Name and namespace are what others refer to: they stay once it exists. */
  isNameLocked: boolean
  isReadOnly: boolean
  onChange: (draft: Draft) => void
}

/** What the canary is called; columns of its row, in both views. */
export function CanaryHead({ draft, errors, isNameLocked, isReadOnly, onChange }: CanaryHeadProps) {
  const nameId = useId()
  const namespaceId = useId()
  const nameError = errors.get(`${HEAD}.name`)
  const namespaceError = errors.get(`${HEAD}.namespace`)
  const lockedHelp = isNameLocked && !isReadOnly ? 'Cannot be changed any more.' : undefined
  return (
    <section className="canary-card" aria-label="Name and labels">
      <div className="canary-grid">
        <FieldFrame id={nameId} label="Name" error={nameError} help={lockedHelp} isRequired={!isNameLocked}>
          <InputGroup
            fill
            id={nameId}
            value={draft.name}
            readOnly={isNameLocked || isReadOnly}
            placeholder="shop-front"
            autoComplete="off"
            {...describeField(nameId, lockedHelp, nameError)}
            onValueChange={(name) => onChange({ ...draft, name })}
          />
        </FieldFrame>
        <FieldFrame
          id={namespaceId}
          label="Namespace"
          error={namespaceError}
          help={lockedHelp}
          isRequired={!isNameLocked}
        >
          <InputGroup
            fill
            id={namespaceId}
            value={draft.namespace}
            readOnly={isNameLocked || isReadOnly}
            autoComplete="off"
            {...describeField(namespaceId, lockedHelp, namespaceError)}
            onValueChange={(namespace) => onChange({ ...draft, namespace })}
          />
        </FieldFrame>
      </div>
      <fieldset className="canary-group">
        <legend>Labels</legend>
        <PairRows
          noun="label"
          pairs={draft.labels}
          isReadOnly={isReadOnly}
          errors={(index) => errors.get(`${HEAD}.labels.${index}`)}
          onChange={(labels) => onChange({ ...draft, labels: [...labels] })}
        />
      </fieldset>
    </section>
  )
}
