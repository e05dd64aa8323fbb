import { Checkbox } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import { Field, type FieldProps } from './Field.tsx'

import styles from './form.module.css'

interface CheckboxesFieldProps extends FieldProps<string[]> {
  groups: readonly {
    readonly label: string
    readonly options: readonly { readonly value: string; readonly label: ReactNode }[]
  }[]
}

/** Any of a few that are all in sight, by kind. */
export function CheckboxesField({ value, onChange, groups, isReadOnly = false, ...field }: CheckboxesFieldProps) {
  return (
    <Field {...field} isGroup>
      {() => (
        <div className={styles['columns']}>
          {groups.map((group) => (
            <fieldset key={group.label} className={styles['group']}>
              <legend>{group.label}</legend>
              {group.options.map((option) => (
                <Checkbox
                  key={option.value}
                  checked={value.includes(option.value)}
                  disabled={isReadOnly}
                  labelElement={option.label}
                  onChange={({ currentTarget: { checked } }) =>
                    onChange(checked ? [...value, option.value] : value.filter((chosen) => chosen !== option.value))
                  }
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </Field>
  )
}
