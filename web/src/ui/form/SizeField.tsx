import { Classes, ControlGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'

import { Field, type FieldProps } from './Field.tsx'
import { joinSize, SIZE_UNITS, splitSize } from './sizeText.ts'
import { useOwnText } from './useOwnText.ts'

import styles from './form.module.css'

/** A size in memory: a number with its unit (first specification, section 5). Other ways to write a size stay as they are. */
export function SizeField({ value, onChange, isReadOnly = false, ...field }: FieldProps<string>) {
  const [text, setText] = useOwnText(value, (written) => joinSize(splitSize(written)))
  const { amount, unit } = splitSize(text)
  const change = (next: { amount: string; unit: string }): void => {
    const joined = joinSize(next)
    setText(joined)
    onChange(joined)
  }
  return (
    <Field {...field}>
      {(control) => (
        <ControlGroup fill className={`${styles['size']}`}>
          <InputGroup
            {...control}
            inputMode="decimal"
            value={amount}
            readOnly={isReadOnly}
            onValueChange={(next) => change({ amount: next, unit })}
          />
          <HTMLSelect
            className={Classes.FIXED}
            aria-label={`${field.label}, unit`}
            value={unit}
            disabled={isReadOnly}
            options={SIZE_UNITS.some((known) => known === unit) ? [...SIZE_UNITS] : [unit, ...SIZE_UNITS]}
            onChange={(event) => change({ amount, unit: event.currentTarget.value })}
          />
        </ControlGroup>
      )}
    </Field>
  )
}
