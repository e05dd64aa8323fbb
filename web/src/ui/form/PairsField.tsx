import { Button, InputGroup } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { capitalize } from '@watchroom/shared/kernel'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'

import { IconButton } from '../IconButton.tsx'
import { CredentialInput } from './CredentialField.tsx'
import { Field, type FieldProps } from './Field.tsx'
import type { Pair } from './pairs.ts'

import styles from './form.module.css'

interface PairsFieldProps extends FieldProps<readonly Pair[]> {
  /** What one row is, for example `header`. */
  noun: string
  /** What is wrong with a row, about its key or as a whole. */
  errorAt: (index: number) => string | undefined
  /** What is wrong with the name or key of a row's secret or config map. */
  referenceError?: (index: number, part: 'name' | 'key') => string | undefined
  /** Values are not shown: passwords and tokens. */
  isSecret?: (key: string) => boolean
}

/** A list of keys and values that people edit row by row. */
export function PairsField({ value: pairs, onChange, noun, isReadOnly = false, ...props }: PairsFieldProps) {
  const { errorAt, referenceError, isSecret, ...field } = props
  const id = useId()
  const addButton = useRef<HTMLButtonElement>(null)
  const title = capitalize(noun)
  const change = (index: number, patch: Partial<Pair>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...patch } : pair)))
  return (
    <Field {...field} isGroup>
      {() => (
        <div className={styles['pairs']}>
          {pairs.map((pair, index) => {
            const error = errorAt(index)
            const shownError = error ?? referenceError?.(index, 'name') ?? referenceError?.(index, 'key')
            const errorId = `${id}-${index}-error`
            const described = { 'aria-describedby': shownError === undefined ? undefined : errorId }
            return (
              // oxlint-disable-next-line react/no-array-index-key -- keys are being typed: only the place of a row is its own
              <div className={styles['pair']} data-sources={pair.credential !== undefined || undefined} key={index}>
                <InputGroup
                  fill
                  value={pair.key}
                  placeholder="Name"
                  readOnly={isReadOnly}
                  aria-label={`${title} ${index + 1}, name`}
                  aria-invalid={error !== undefined}
                  {...described}
                  onValueChange={(key) => change(index, { key })}
                />
                {pair.credential ? (
                  <CredentialInput
                    label={`${title} ${index + 1}, value`}
                    placeholder="Value"
                    value={pair.credential}
                    isSecret={isSecret?.(pair.key) === true}
                    isReadOnly={isReadOnly}
                    control={{ 'aria-invalid': false, ...described }}
                    errorAt={(part) => referenceError?.(index, part)}
                    onChange={(credential) => change(index, { credential })}
                  />
                ) : (
                  <InputGroup
                    fill
                    value={pair.value}
                    placeholder="Value"
                    readOnly={isReadOnly}
                    autoComplete="off"
                    aria-label={`${title} ${index + 1}, value`}
                    onValueChange={(value) => change(index, { value })}
                  />
                )}
                {isReadOnly ? null : (
                  <IconButton
                    icon={<Trash />}
                    label={`Remove ${noun} ${pair.key || index + 1}`}
                    onClick={() => {
                      flushSync(() => onChange(pairs.filter((_, at) => at !== index)))
                      addButton.current?.focus()
                    }}
                  />
                )}
                {shownError === undefined ? null : (
                  <p className={styles['pairError']} id={errorId}>
                    {shownError}
                  </p>
                )}
              </div>
            )
          })}
          {isReadOnly ? (
            pairs.length === 0 && <span className="wr-muted">None</span>
          ) : (
            <Button
              size="small"
              icon={<Plus />}
              text={`Add ${noun}`}
              ref={addButton}
              onClick={() => {
                flushSync(() => onChange([...pairs, { key: '', value: '' }]))
                const rows = addButton.current?.parentElement?.querySelectorAll<HTMLElement>(':scope > div')
                ;[...(rows ?? [])].at(-1)?.querySelector('input')?.focus()
              }}
            />
          )}
        </div>
      )}
    </Field>
  )
}
