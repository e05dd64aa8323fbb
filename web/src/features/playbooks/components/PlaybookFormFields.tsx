import { CodeField } from '../../../ui/form/CodeField.tsx'
import { FieldRow } from '../../../ui/form/FieldRow.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { Form } from '../../../ui/form/useForm.ts'
import { PLAYBOOK_JSON_SCHEMA, type PlaybookFields } from '../playbookForm.ts'

interface PlaybookFormFieldsProps {
  form: Form<PlaybookFields>
  /** Who wrote it last: a person here, or what it was applied from. */
  source: string
  isReadOnly: boolean
}

export function PlaybookFormFields({ form, source, isReadOnly }: PlaybookFormFieldsProps) {
  const optional = isReadOnly ? undefined : ('optional' as const)
  return (
    <>
      <FieldRow>
        <TextField label="Title" {...form.field('title')} maxLength={256} isFirst isReadOnly={isReadOnly} />
        <TextField
          label="Category"
          mark={optional}
          placeholder="Other"
          {...form.field('category')}
          isReadOnly={isReadOnly}
        />
        <TextField label="Icon" mark={optional} {...form.field('icon')} isSpelled={false} isReadOnly={isReadOnly} />
        <TextField label="Source" value={source} onChange={() => undefined} isReadOnly />
      </FieldRow>
      <TextField label="Description" mark={optional} {...form.field('description')} isReadOnly={isReadOnly} />
      <CodeField
        label="Spec"
        language="yaml"
        size="large"
        schema={PLAYBOOK_JSON_SCHEMA}
        help={isReadOnly ? undefined : 'YAML. Steps go under actions. A stored secret shows as *** and stays.'}
        {...form.field('spec')}
        isReadOnly={isReadOnly}
      />
    </>
  )
}
