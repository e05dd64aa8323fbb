import { Button, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { flushSync } from 'react-dom'

import { RESPONSE_CODES } from '../spec/checkForms.ts'
import type { ControlProps } from './FieldFrame.tsx'
import { toAmount } from './useOwnText.ts'

interface CodesInputProps extends ControlProps {
  /** As it stands in the spec: numbers, or whatever somebody wrote there. */
  codes: readonly unknown[]
  onChange: (codes: readonly unknown[]) => void
}

/** Response codes to choose from, several at once. Others that the spec has stay until they are taken out. */
export function CodesInput({ id, label, codes, isReadOnly, described, onChange }: CodesInputProps) {
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
  const { 'aria-invalid': isInvalid, ...description } = described
  return (
    <fieldset className="canary-codes" aria-label={label} {...description}>
      {[...RESPONSE_CODES, ...others].map((code, index) => (
        <Button
          // oxlint-disable-next-line react/no-array-index-key -- what somebody wrote by hand may stand there twice
          key={`${String(code)}.${index}`}
          size="small"
          text={String(code)}
          intent={codes.includes(code) ? 'primary' : 'none'}
          aria-pressed={codes.includes(code)}
          disabled={isReadOnly}
          onClick={() => {
            flushSync(() => toggle(code))
            // One of the others is gone once it is taken out.
            if (index >= RESPONSE_CODES.length) document.querySelector<HTMLElement>(`[id="${id}"]`)?.focus()
          }}
        />
      ))}
      {isReadOnly ? null : (
        <InputGroup
          id={id}
          size="small"
          className="canary-codes-other"
          aria-label="Another response code"
          aria-invalid={isInvalid}
          {...description}
          intent={isInvalid ? 'danger' : 'none'}
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
    </fieldset>
  )
}
