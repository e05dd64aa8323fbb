import { Field, type FieldProps } from '../ui/form/Field.tsx'

import styles from './specViews.module.css'

/** Keys of a spec that its form has no fields for. */
export function KeptKeys({ keys }: { keys: readonly string[] }) {
  if (keys.length === 0) return null
  return <p className={styles['kept']}>{`Kept unchanged. Edit them in the YAML view: ${keys.join(', ')}.`}</p>
}

/** Stands where a field would be, for a value that it cannot show. */
export function YamlOnlyField(frame: Pick<FieldProps<unknown>, 'label' | 'mark' | 'error' | 'help'>) {
  return (
    <Field {...frame}>
      {({ id }) => (
        <span id={id} className="wr-muted">
          Only the YAML view can show this value.
        </span>
      )}
    </Field>
  )
}
