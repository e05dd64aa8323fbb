import { Button, FormGroup, TextArea } from '@blueprintjs/core'
import { LIMITS } from '@watchroom/shared/collab'
import type { EvidenceType } from '@watchroom/shared/incidents'
import { type ReactNode, useId } from 'react'

import { CEL_EXAMPLES } from './celExamples.ts'

interface ScriptFieldProps {
  readonly type: EvidenceType
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The expression that decides whether an item is done, with examples to start from. */
export function ScriptField({ type, value, onChange }: ScriptFieldProps): ReactNode {
  const id = useId()
  const examples = CEL_EXAMPLES[type] ?? []
  return (
    <>
      <FormGroup label="CEL expression" labelFor={id} labelInfo="(optional)">
        <TextArea
          id={id}
          fill
          autoResize
          value={value}
          maxLength={LIMITS.scriptLength}
          onChange={(event) => onChange(event.target.value)}
        />
      </FormGroup>
      {examples.length > 0 ? (
        <fieldset className="dod-examples" aria-label="Examples">
          {examples.map((example) => (
            <Button key={example} size="small" text={example} onClick={() => onChange(example)} />
          ))}
        </fieldset>
      ) : null}
    </>
  )
}
