import { Button, InputGroup } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'

import { IconButton } from '../../../ui/IconButton.tsx'
import type { Credential } from '../spec/credential.ts'
import { CredentialInput } from './CredentialInput.tsx'

export interface Pair {
  readonly key: string
  readonly value: string
  /** Where the value may stand elsewhere; then `value` is its text. */
  readonly credential?: Credential
}

interface PairRowsProps {
  /** What one row is, for example `header`. */
  noun: string
  /** Of all rows together, where nothing around them says it. */
  label?: string
  pairs: readonly Pair[]
  isReadOnly: boolean
  errors: (index: number) => string | undefined
  /** What is wrong with the name or key of a row's secret or config map. */
  referenceError?: (index: number, part: 'name' | 'key') => string | undefined
  /** Values are not shown: passwords and tokens. */
  isSecret?: (key: string) => boolean
  onChange: (pairs: readonly Pair[]) => void
}

/** A list of keys and values that people edit row by row. */
export function PairRows({
  noun,
  label,
  pairs,
  isReadOnly,
  errors,
  referenceError,
  isSecret,
  onChange,
}: PairRowsProps) {
  const change = (index: number, patch: Partial<Pair>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...patch } : pair)))
  const id = useId()
  const addButton = useRef<HTMLButtonElement>(null)
  const Rows = label === undefined ? 'div' : 'fieldset'
  const title = noun.charAt(0).toUpperCase() + noun.slice(1)
  return (
    <Rows className="canary-pairs" aria-label={label}>
      {pairs.map((pair, index) => {
        const error = errors(index)
        const shownError = error ?? referenceError?.(index, 'name') ?? referenceError?.(index, 'key')
        const errorId = `${id}-${index}-error`
        const described = shownError === undefined ? {} : { 'aria-describedby': errorId }
        return (
          // oxlint-disable-next-line react/no-array-index-key -- keys are being typed: only the place of a row is its own
          <div className="canary-pair" data-sources={pair.credential !== undefined || undefined} key={index}>
            <InputGroup
              fill
              value={pair.key}
              placeholder="Name"
              readOnly={isReadOnly}
              aria-label={`${title} ${index + 1}, name`}
              aria-invalid={error !== undefined}
              {...described}
              intent={error === undefined ? 'none' : 'danger'}
              onValueChange={(key) => change(index, { key })}
            />
            {pair.credential ? (
              <CredentialInput
                label={`${title} ${index + 1}, value`}
                placeholder="Value"
                credential={pair.credential}
                isSecret={isSecret?.(pair.key) === true}
                isReadOnly={isReadOnly}
                described={{ 'aria-invalid': false, 'aria-describedby': described['aria-describedby'] }}
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
              <p className="canary-pair-error" id={errorId}>
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
            const names = addButton.current?.parentElement?.querySelectorAll<HTMLElement>(
              '.canary-pair > :first-child input',
            )
            ;[...(names ?? [])].at(-1)?.focus()
          }}
        />
      )}
    </Rows>
  )
}
