import { HTMLSelect, TextArea } from '@blueprintjs/core'
import { TEMPLATE_KINDS } from '@watchroom/shared/health/check-types'
import { useState } from 'react'

import { Field, type FieldProps } from '../../../ui/form/Field.tsx'
import { LANGUAGES, type WrittenTemplate } from '../spec/template.ts'

import styles from '../canaries.module.css'

interface TemplateFieldProps extends Omit<FieldProps<WrittenTemplate>, 'onChange'> {
  onChange: (value: unknown) => void
}

/** A text in a language of one's choice. */
export function TemplateField({ value, onChange, isReadOnly = false, ...field }: TemplateFieldProps) {
  const { kind, text } = value
  /** What was typed before `None` was chosen, in case the person switches back. */
  const [kept, setKept] = useState('')
  const changeKind = (chosen: string): void => {
    if (kind !== null) setKept(text)
    onChange(chosen === '' ? undefined : { [chosen]: kind === null ? kept : text })
  }
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles['template']}>
          <HTMLSelect
            {...(kind === null ? control : { 'aria-label': `${field.label}, language` })}
            value={kind ?? ''}
            disabled={isReadOnly}
            onChange={(event) => changeKind(event.currentTarget.value)}
          >
            <option value="">None</option>
            {TEMPLATE_KINDS.map((language) => (
              <option key={language} value={language}>
                {LANGUAGES[language]}
              </option>
            ))}
          </HTMLSelect>
          {kind === null ? null : (
            <TextArea
              fill
              autoResize
              {...control}
              className="wr-mono"
              spellCheck={false}
              readOnly={isReadOnly}
              value={text}
              onChange={(event) => onChange({ [kind]: event.currentTarget.value })}
            />
          )}
        </div>
      )}
    </Field>
  )
}
