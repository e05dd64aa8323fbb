import {
  CHECK_TYPES,
  type CheckType,
  DEFAULT_INTERVAL_S,
  isCheckType,
  SEVERITIES,
} from '@watchroom/shared/health/check-types'

import { findProgramRefusal, type ProgramRules } from '../../../api/useProgramRules.ts'
import { AddElement } from '../../../editor/AddElement.tsx'
import { addElementText, editSpecText, removeElementText } from '../../../editor/specText.ts'
import { KeptKeys } from '../../../editor/YamlOnly.tsx'
import { CheckTypeIcon } from '../../../ui/CheckTypeIcon.tsx'
import { FieldGrid } from '../../../ui/form/FieldGrid.tsx'
import { FormCard } from '../../../ui/form/FormCard.tsx'
import { PairsField } from '../../../ui/form/PairsField.tsx'
import { ScheduleField } from '../../../ui/form/ScheduleField.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { toText } from '../../../ui/form/toText.ts'
import { HEAD, type Draft } from '../draft.ts'
import { CHECK_FORMS } from '../spec/checkForms.ts'
import type { SpecFinding } from '../spec/findProblems.ts'
import { NEW_CHECKS } from '../spec/templates.ts'
import { CheckSection } from './CheckSection.tsx'

import styles from '../canaries.module.css'

export interface CanaryFormProps {
  draft: Draft
  spec: Readonly<Record<string, unknown>>
  /** Those that are to be shown now. */
  findings: readonly SpecFinding[]
  isReadOnly: boolean
  programs: ProgramRules
  onChange: (draft: Draft) => void
}

/** From this number of checks on, all are folded at first. */
const MANY_CHECKS = 4

/** Canary and checks as fields. Writes into the YAML text, so nothing that it does not know is lost. */
export function CanaryForm({ draft, spec, findings, isReadOnly, programs, onChange }: CanaryFormProps) {
  const errors = new Map(
    findings.filter(({ level }) => level !== 'warning').map(({ path, message }) => [path.join('.'), message]),
  )
  const setText = (text: string): void => onChange({ ...draft, text })
  const edit = (path: readonly (string | number)[], value: unknown): void =>
    setText(editSpecText(draft.text, path, value))
  const checks = listChecks(spec)
  const unknown = findings.filter(({ level }) => level === 'warning')
  return (
    <div className={styles['form']}>
      <FormCard label="Schedule">
        <FieldGrid>
          <ScheduleField
            label="Runs"
            defaultText={`Every ${DEFAULT_INTERVAL_S} seconds (default)`}
            value={spec}
            errors={{ schedule: errors.get('schedule'), interval: errors.get('interval') }}
            isReadOnly={isReadOnly}
            onChange={({ schedule, interval }) =>
              setText(editSpecText(editSpecText(draft.text, ['schedule'], schedule), ['interval'], interval))
            }
          />
          <SelectField
            label="Severity"
            help="Used by every check that doesn’t set its own."
            placeholder="Not set"
            options={SEVERITIES}
            value={toText(spec['severity'])}
            error={errors.get('severity')}
            isReadOnly={isReadOnly}
            onChange={(severity) => edit(['severity'], severity || undefined)}
          />
        </FieldGrid>
      </FormCard>
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
          isReadOnly={isReadOnly || findProgramRefusal(programs, type) !== null}
          note={type === 'exec' ? (programs.refusal ?? programs.limit) : null}
          onChange={(field, value) => edit([type, index, field], value)}
          onRemove={isReadOnly ? null : () => setText(removeElementText(draft.text, type, index))}
        />
      ))}
      <KeptKeys keys={Object.keys(spec).filter((key) => !OWN_KEYS.has(key))} />
      {isReadOnly ? null : (
        <AddElement
          text="Add another check"
          label="Kind of check"
          kinds={CHECK_TYPES.map((kind) => ({
            kind,
            title: CHECK_FORMS[kind].title,
            icon: <CheckTypeIcon type={kind} size={16} />,
            refusal: findProgramRefusal(programs, kind),
          }))}
          onAdd={(type) => setText(addElementText(draft.text, type, NEW_CHECKS[type]))}
        />
      )}
    </div>
  )
}

/** Errors of one check, by their place in it. */
const errorsOf = (findings: readonly SpecFinding[], type: CheckType, index: number): ReadonlyMap<string, string> =>
  new Map(
    findings
      .filter(({ level, path }) => level !== 'warning' && path[0] === type && path[1] === index)
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

/** What has fields here. */
const OWN_KEYS = new Set<string>(['schedule', 'interval', 'severity', ...CHECK_TYPES])

export interface CanaryHeadProps {
  draft: Draft
  errors: ReadonlyMap<string, string>
  /** Others refer to name and namespace, so they cannot change once the canary exists. */
  isNameLocked: boolean
  isReadOnly: boolean
  onChange: (draft: Draft) => void
}

/** What the canary is called; columns of its row, in both views. */
export function CanaryHead({ draft, errors, isNameLocked, isReadOnly, onChange }: CanaryHeadProps) {
  const isLocked = isNameLocked || isReadOnly
  const shared = {
    help: isNameLocked && !isReadOnly ? 'Can’t be changed.' : undefined,
    mark: isNameLocked ? undefined : ('required' as const),
    isReadOnly: isLocked,
  }
  return (
    <FormCard label="Name and labels">
      <FieldGrid>
        <TextField
          {...shared}
          label="Name"
          placeholder="shop-front"
          value={draft.name}
          error={errors.get(`${HEAD}.name`)}
          onChange={(name) => onChange({ ...draft, name })}
        />
        <TextField
          {...shared}
          label="Namespace"
          value={draft.namespace}
          error={errors.get(`${HEAD}.namespace`)}
          onChange={(namespace) => onChange({ ...draft, namespace })}
        />
      </FieldGrid>
      <PairsField
        label="Labels"
        noun="label"
        value={draft.labels}
        isReadOnly={isReadOnly}
        errorAt={(index) => errors.get(`${HEAD}.labels.${index}`)}
        onChange={(labels) => onChange({ ...draft, labels: [...labels] })}
      />
    </FormCard>
  )
}
