import { Classes, ControlGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'

import { joinSize, SIZE_UNITS, splitSize } from '../sizeText.ts'
import type { ControlProps } from './FieldFrame.tsx'
import { useOwnText } from './useOwnText.ts'

interface SizeInputProps extends ControlProps {
  value: string
  onChange: (value: string) => void
}

/** A size in memory: a number with its unit (first specification, section 5). Other ways to write a size stay as they are. */
export function SizeInput({ id, label, value, isReadOnly, described, onChange }: SizeInputProps) {
  const [text, setText] = useOwnText(value, (written) => joinSize(splitSize(written)))
  const { amount, unit } = splitSize(text)
  const change = (next: { amount: string; unit: string }): void => {
    const joined = joinSize(next)
    setText(joined)
    onChange(joined)
  }
  return (
    <ControlGroup fill className="canary-size">
      <InputGroup
        id={id}
        inputMode="decimal"
        value={amount}
        readOnly={isReadOnly}
        {...described}
        onValueChange={(next) => change({ amount: next, unit })}
      />
      <HTMLSelect
        className={Classes.FIXED}
        aria-label={`${label}, unit`}
        value={unit}
        disabled={isReadOnly}
        options={SIZE_UNITS.some((known) => known === unit) ? [...SIZE_UNITS] : [unit, ...SIZE_UNITS]}
        onChange={(event) => change({ amount, unit: event.currentTarget.value })}
      />
    </ControlGroup>
  )
}
