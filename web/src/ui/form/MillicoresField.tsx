import type { FieldProps } from './Field.tsx'
import { TextField } from './TextField.tsx'

import styles from './form.module.css'

/** A part of a processor: a number, written with an `m` behind it (second specification, section 5). */
export function MillicoresField({ value, onChange, ...field }: FieldProps<string>) {
  return (
    <TextField
      {...field}
      inputMode="numeric"
      isSpelled={false}
      value={value.replace(/m$/, '')}
      rightElement={<span className={styles['unit']}>m</span>}
      onChange={(text) => onChange(/^\d+$/.test(text.trim()) ? `${text.trim()}m` : text)}
    />
  )
}
