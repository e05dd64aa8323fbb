import { type SettingsField, type SettingsResource, settingsTexts } from '@watchroom/shared/settings'
import { scheduleInForce } from '@watchroom/shared/specs'
import { type ReactNode, useState } from 'react'

import { readSpecText } from '../../../editor/readSpecText.ts'
import { type SpecView, SpecViews, UnreadableSpec } from '../../../editor/SpecViews.tsx'
import { CodeField } from '../../../ui/form/CodeField.tsx'
import { FieldGrid } from '../../../ui/form/FieldGrid.tsx'
import { PairsField } from '../../../ui/form/PairsField.tsx'
import { ScheduleField } from '../../../ui/form/ScheduleField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { Form } from '../../../ui/form/useForm.ts'
import type { RenderSpecForm } from '../renderSpecForm.ts'
import type { SettingsFields } from '../settingsForm.ts'
import { specSchemaOf } from '../specSchemas.ts'

interface SettingsFormFieldsProps {
  definition: SettingsResource
  form: Form<SettingsFields>
  isNew: boolean
  isReadOnly: boolean
  /** Where the row is defined. */
  source: string
  /** Fields of the spec, beside its text. */
  renderSpecForm?: RenderSpecForm | undefined
}

const SPEC_HELP = 'YAML or JSON. A stored secret shows as *** and stays until you replace it.'

/** The fields that the definition of a table names. */
export function SettingsFormFields(props: SettingsFormFieldsProps) {
  const { definition, form, isNew, isReadOnly, source, renderSpecForm } = props
  const optional = isReadOnly ? undefined : ('optional' as const)
  const schema = specSchemaOf(definition.table)
  const has = (field: SettingsField): boolean => definition.fields.includes(field)
  const text = (
    <CodeField
      label="Spec"
      language="yaml"
      {...(schema === undefined ? {} : { schema })}
      help={isReadOnly ? undefined : [SPEC_HELP, settingsTexts(definition).spec].filter(Boolean).join(' ')}
      {...form.field('spec')}
      isReadOnly={isReadOnly}
    />
  )
  return (
    <>
      <FieldGrid>
        <TextField label="Name" {...form.field('name')} maxLength={256} isFirst isReadOnly={!isNew} />
        {has('namespace') ? (
          <TextField label="Namespace" {...form.field('namespace')} maxLength={256} isReadOnly={!isNew} />
        ) : null}
        {has('icon') ? (
          <TextField
            label="Icon"
            mark={optional}
            help="A word such as server, ship or pipeline."
            {...form.field('icon')}
            isSpelled={false}
            isReadOnly={isReadOnly}
          />
        ) : null}
        {has('source') ? <TextField label="Source" value={source} onChange={() => undefined} isReadOnly /> : null}
        {has('schedule') ? (
          <ScheduleField
            label="Schedule"
            defaultText={toDefaultSchedule(definition, form.values.spec)}
            hasInterval={false}
            value={{ schedule: form.values.schedule }}
            errors={{ schedule: form.errorAt('schedule'), interval: undefined }}
            isReadOnly={isReadOnly}
            onChange={({ schedule }) => form.set('schedule', typeof schedule === 'string' ? schedule : '')}
          />
        ) : null}
      </FieldGrid>
      {has('labels') ? (
        <PairsField
          label="Labels"
          noun="label"
          mark={optional}
          {...form.field('labels')}
          errorAt={(index) => form.errorAt(`labels.${index}.key`)}
          isReadOnly={isReadOnly}
        />
      ) : null}
      {renderSpecForm === undefined ? (
        text
      ) : (
        <SpecAsForm form={form} isReadOnly={isReadOnly} render={renderSpecForm}>
          {text}
        </SpecAsForm>
      )}
    </>
  )
}

/** What runs without a choice: the spec may say, and else there is a default. */
function toDefaultSchedule({ table }: SettingsResource, specText: string): string {
  const { spec } = readSpecText(specText)
  const schedule = scheduleInForce(table, { spec })
  if (schedule === null) return 'Not set'
  return spec?.['schedule'] === schedule ? `As in the spec (${schedule})` : `Not set (${schedule} by default)`
}

interface SpecAsFormProps {
  form: Form<SettingsFields>
  isReadOnly: boolean
  render: RenderSpecForm
  /** The spec as text. */
  children: ReactNode
}

/** A spec as fields or as text: both edit the text. */
function SpecAsForm({ form, isReadOnly, render, children }: SpecAsFormProps) {
  const [view, setView] = useState<SpecView>('form')
  const { value: text, error, onChange } = form.field('spec')
  const { spec, problem } = readSpecText(text)
  return (
    <>
      <SpecViews view={view} onView={setView} />
      {view === 'yaml' ? (
        children
      ) : spec === null ? (
        <UnreadableSpec problem={problem} onFix={() => setView('yaml')} />
      ) : (
        render({ text, spec, wasTried: error !== undefined, isReadOnly, onChange })
      )}
    </>
  )
}
