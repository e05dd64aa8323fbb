import { FormGroup, HTMLSelect, InputGroup, Switch } from '@blueprintjs/core'
import { useId } from 'react'

import { type AgentFormErrors, type AgentFormFields, SCRAPE_INTERVALS } from '../agentForm.ts'
import { PropertiesField } from './PropertiesField.tsx'

interface AgentFieldsProps {
  fields: AgentFormFields
  errors: AgentFormErrors
  /** An agent keeps the name it was created with. */
  isNameReadOnly: boolean
  isReadOnly?: boolean
  onChange: (patch: Partial<AgentFormFields>) => void
}

/** The fields that creating and editing an agent have in common. */
export function AgentFields({ fields, errors, isNameReadOnly, isReadOnly = false, onChange }: AgentFieldsProps) {
  const id = useId()
  const { kubernetes, telemetry } = fields
  return (
    <>
      <FormGroup
        label="Name"
        labelFor={`${id}-name`}
        intent={errors.name === undefined ? 'none' : 'danger'}
        helperText={errors.name === undefined ? undefined : <span id={`${id}-name-error`}>{errors.name}</span>}
      >
        <InputGroup
          id={`${id}-name`}
          value={fields.name}
          readOnly={isNameReadOnly}
          maxLength={256}
          intent={errors.name === undefined ? 'none' : 'danger'}
          aria-required={!isNameReadOnly}
          aria-invalid={errors.name !== undefined}
          aria-describedby={errors.name === undefined ? undefined : `${id}-name-error`}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog opened to type into starts in its first field
          autoFocus={!isNameReadOnly}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </FormGroup>
      <PropertiesField
        rows={fields.properties}
        errors={errors.properties}
        isReadOnly={isReadOnly}
        onChange={(properties) => onChange({ properties })}
      />
      <div className="agent-toggles">
        <FormGroup label="Kubernetes">
          <Switch
            checked={kubernetes.enabled}
            disabled={isReadOnly}
            aria-label={`Kubernetes: ${toWord(kubernetes.enabled)}`}
            label={toWord(kubernetes.enabled)}
            onChange={(event) => onChange({ kubernetes: { ...kubernetes, enabled: event.currentTarget.checked } })}
          />
        </FormGroup>
        <FormGroup label="Scrape Interval" labelFor={`${id}-interval`} disabled={!kubernetes.enabled}>
          <HTMLSelect
            id={`${id}-interval`}
            value={kubernetes.interval}
            disabled={isReadOnly || !kubernetes.enabled}
            options={[...SCRAPE_INTERVALS]}
            onChange={(event) => {
              const interval = SCRAPE_INTERVALS.find((known) => known === event.currentTarget.value)
              if (interval !== undefined) onChange({ kubernetes: { ...kubernetes, interval } })
            }}
          />
        </FormGroup>
        <FormGroup
          label="Exclusions"
          labelFor={`${id}-exclusions`}
          disabled={!kubernetes.enabled}
          className="agent-exclusions"
          helperText={<span id={`${id}-exclusions-hint`}>Kinds not to scrape, such as Secret, Event</span>}
        >
          <InputGroup
            id={`${id}-exclusions`}
            value={kubernetes.exclusions}
            disabled={isReadOnly || !kubernetes.enabled}
            aria-describedby={`${id}-exclusions-hint`}
            onChange={(event) => onChange({ kubernetes: { ...kubernetes, exclusions: event.currentTarget.value } })}
          />
        </FormGroup>
        <FormGroup label="Telemetry">
          <Switch
            checked={telemetry.enabled}
            disabled={isReadOnly}
            aria-label={`Telemetry: ${toWord(telemetry.enabled)}`}
            label={toWord(telemetry.enabled)}
            onChange={(event) => onChange({ telemetry: { ...telemetry, enabled: event.currentTarget.checked } })}
          />
        </FormGroup>
        <FormGroup
          label="Label"
          labelFor={`${id}-label`}
          disabled={!telemetry.enabled}
          intent={errors.label === undefined ? 'none' : 'danger'}
          helperText={errors.label === undefined ? undefined : <span id={`${id}-label-error`}>{errors.label}</span>}
        >
          <InputGroup
            id={`${id}-label`}
            value={telemetry.label}
            disabled={isReadOnly || !telemetry.enabled}
            intent={errors.label === undefined ? 'none' : 'danger'}
            aria-invalid={errors.label !== undefined}
            aria-describedby={errors.label === undefined ? undefined : `${id}-label-error`}
            onChange={(event) => onChange({ telemetry: { ...telemetry, label: event.currentTarget.value } })}
          />
        </FormGroup>
      </div>
    </>
  )
}

const toWord = (isEnabled: boolean): string => (isEnabled ? 'Enabled' : 'Disabled')
