import { Button, InputGroup } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'

import { IconButton } from '../../../ui/IconButton.tsx'

export interface Pair {
  readonly key: string
  readonly value: string
}

interface PairRowsProps {
  /** What one row is, for example `header`. */
  noun: string
  pairs: readonly Pair[]
  isReadOnly: boolean
  errors: (index: number) => string | undefined
  /** Values are not shown: passwords and tokens. */
  isSecret?: (key: string) => boolean
  onChange: (pairs: readonly Pair[]) => void
}

/** A list of keys and values that people edit row by row. */
export function PairRows({ noun, pairs, isReadOnly, errors, isSecret, onChange }: PairRowsProps) {
  const change = (index: number, patch: Partial<Pair>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...patch } : pair)))
  const title = noun.charAt(0).toUpperCase() + noun.slice(1)
  return (
    <div className="canary-pairs">
      {pairs.map((pair, index) => {
        const error = errors(index)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- keys are being typed: only the place of a row is its own
          <div className="canary-pair" key={index}>
            <InputGroup
              fill
              value={pair.key}
              placeholder="Name"
              readOnly={isReadOnly}
              aria-label={`${title} ${index + 1}, name`}
              aria-invalid={error !== undefined}
              intent={error === undefined ? 'none' : 'danger'}
              onValueChange={(key) => change(index, { key })}
            />
            <InputGroup
              fill
              value={pair.value}
              placeholder="Value"
              readOnly={isReadOnly}
              type={isSecret?.(pair.key) ? 'password' : 'text'}
              autoComplete="off"
              aria-label={`${title} ${index + 1}, value`}
              onValueChange={(value) => change(index, { value })}
            />
            {isReadOnly ? null : (
              <IconButton
                icon={<Trash />}
                label={`Remove ${noun} ${pair.key || index + 1}`}
                onClick={() => onChange(pairs.filter((_, at) => at !== index))}
              />
            )}
            {error === undefined ? null : <p className="canary-pair-error">{error}</p>}
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
          onClick={() => onChange([...pairs, { key: '', value: '' }])}
        />
      )}
    </div>
  )
}
