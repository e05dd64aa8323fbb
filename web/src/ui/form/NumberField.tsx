import { type Amount, toAmount } from './amount.ts'
import type { FieldProps } from './Field.tsx'
import { TextField } from './TextField.tsx'
import { useOwnText } from './useOwnText.ts'

import styles from './form.module.css'

interface NumberFieldProps extends FieldProps<Amount> {
  unit?: string | undefined
  placeholder?: string | undefined
}

/** A number. */
export const NumberField = (props: NumberFieldProps) => <AmountField {...props} inputMode="decimal" />

/** A duration: a number of the field's unit, or a text with one such as `90s`. */
export const DurationField = (props: NumberFieldProps) => <AmountField {...props} inputMode="text" />

function AmountField({ value, onChange, unit, ...props }: NumberFieldProps & { inputMode: 'decimal' | 'text' }) {
  const [text, setText] = useOwnText(String(value ?? ''), (written) => JSON.stringify(toAmount(written)))
  return (
    <TextField
      {...props}
      value={text}
      {...(unit === undefined ? {} : { rightElement: <span className={styles['unit']}>{unit}</span> })}
      onChange={(next) => {
        setText(next)
        onChange(toAmount(next))
      }}
    />
  )
}
