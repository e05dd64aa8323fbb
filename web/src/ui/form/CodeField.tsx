import { Suspense } from 'react'

import type { EditorSize, JsonSchema } from '../../editor/contract.ts'
import { lazyPart } from '../lazyPart.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { TextField } from './TextField.tsx'

import styles from './form.module.css'

// The editor is a megabyte: loaded with the first text that it shows.
const YamlEditor = lazyPart(async () => (await import('../../editor/YamlEditor.tsx')).YamlEditor)

interface CodeFieldProps extends FieldProps<string> {
  /** JSON is edited as the part of YAML that it is; CEL has an editor of plain text. */
  language: 'yaml' | 'json' | 'cel'
  /** Marks what does not fit it, and completes keys. */
  schema?: JsonSchema
  maxLength?: number
  size?: EditorSize
}

/** A text for a machine, in an editor where there is one for its language. */
export function CodeField({ language, schema, maxLength, size, ...field }: CodeFieldProps) {
  if (language === 'cel') {
    return <TextField {...field} isMultiline isCode {...(maxLength === undefined ? {} : { maxLength })} />
  }
  return (
    <Field {...field} isGroup>
      {() => (
        <div className={styles['code']}>
          <Suspense fallback={<textarea aria-label={field.label} className="wr-mono" readOnly value={field.value} />}>
            <YamlEditor
              aria-label={field.label}
              value={field.value}
              {...(schema === undefined ? {} : { schema })}
              {...(size === undefined ? {} : { size })}
              {...(field.isReadOnly === true ? {} : { onChange: field.onChange })}
            />
          </Suspense>
        </div>
      )}
    </Field>
  )
}
