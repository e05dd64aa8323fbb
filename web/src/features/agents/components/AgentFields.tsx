import { PairsField } from '../../../ui/form/PairsField.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { Form } from '../../../ui/form/useForm.ts'
import { type AgentFields as Fields, SCRAPE_INTERVALS } from '../agentForm.ts'

import styles from '../agents.module.css'

interface AgentFieldsProps {
  form: Form<Fields>
  /** An agent keeps the name it was created with. */
  isNameReadOnly: boolean
  isReadOnly?: boolean
  /** It is installed elsewhere, by instructions that include Kubernetes and telemetry. */
  isInstalled?: boolean
}

const WORDS = ['Enabled', 'Disabled'] as const

/** The fields that creating and editing an agent have in common. */
export function AgentFields({ form, isNameReadOnly, isReadOnly = false, isInstalled = true }: AgentFieldsProps) {
  return (
    <>
      <TextField label="Name" {...form.field('name')} maxLength={256} isFirst isReadOnly={isNameReadOnly} />
      <PairsField
        label="Properties"
        noun="property"
        {...form.field('properties')}
        errorAt={(index) => form.errorAt(`properties.${index}.key`)}
        isReadOnly={isReadOnly}
      />
      {isInstalled ? <InstallationFields form={form} isReadOnly={isReadOnly} /> : null}
    </>
  )
}

function InstallationFields({ form, isReadOnly }: { form: Form<Fields>; isReadOnly: boolean }) {
  const { kubernetes, telemetry } = form.values
  return (
    <div className={styles['toggles']}>
      <SwitchField label="Kubernetes" words={WORDS} {...form.field('kubernetes.enabled')} isReadOnly={isReadOnly} />
      <SelectField
        label="Scrape Interval"
        {...form.field('kubernetes.interval')}
        options={SCRAPE_INTERVALS}
        isDisabled={isReadOnly || !kubernetes.enabled}
      />
      <div className={styles['exclusions']}>
        <TextField
          label="Exclusions"
          help="Kinds not to scrape, such as Secret, Event"
          {...form.field('kubernetes.exclusions')}
          isDisabled={isReadOnly || !kubernetes.enabled}
        />
      </div>
      <SwitchField label="Telemetry" words={WORDS} {...form.field('telemetry.enabled')} isReadOnly={isReadOnly} />
      <TextField label="Label" {...form.field('telemetry.label')} isDisabled={isReadOnly || !telemetry.enabled} />
    </div>
  )
}
