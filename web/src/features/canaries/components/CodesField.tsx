import { Button, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { flushSync } from 'react-dom'

import { toAmount } from '../../../ui/form/amount.ts'
import { Field, type FieldProps } from '../../../ui/form/Field.tsx'
import { RESPONSE_CODES } from '../spec/checkForms.ts'

import styles from '../canaries.module.css'

/** Response codes to choose from, several at once. Other codes in the spec stay until someone removes them. */
export function CodesField({ value: codes, onChange, isReadOnly, ...field }: FieldProps<readonly unknown[]>) {
  const [other, setOther] = useState('')
  const others = codes.filter((code) => !RESPONSE_CODES.some((known) => known === code))
  const toggle = (code: unknown): void => {
    const next = codes.includes(code) ? codes.filter((chosen) => chosen !== code) : [...codes, code]
    onChange(next.toSorted((one, another) => Number(one) - Number(another)))
  }
  const add = (): void => {
    const code = toAmount(other)
    setOther('')
    if (code !== undefined && !codes.includes(code)) toggle(code)
  }
  return (
    <Field {...field} isGroup>
      {(control) => (
        <div className={styles['codes']}>
          {[...RESPONSE_CODES, ...others].map((code, index) => (
            <Button
              // oxlint-disable-next-line react/no-array-index-key -- what someone wrote by hand may stand there twice
              key={`${String(code)}.${index}`}
              size="small"
              text={String(code)}
              intent={codes.includes(code) ? 'primary' : 'none'}
              aria-pressed={codes.includes(code)}
              disabled={isReadOnly === true}
              onClick={() => {
                flushSync(() => toggle(code))
                // One of the others is gone once it is taken out.
                if (index >= RESPONSE_CODES.length) document.getElementById(control.id)?.focus()
              }}
            />
          ))}
          {isReadOnly ? null : (
            <InputGroup
              {...control}
              size="small"
              className={`${styles['codesOther']}`}
              aria-label="Another response code"
              placeholder="Other"
              inputMode="numeric"
              autoComplete="off"
              value={other}
              onValueChange={setOther}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // It would save the whole form.
                event.preventDefault()
                add()
              }}
            />
          )}
        </div>
      )}
    </Field>
  )
}
