import { Button } from '@blueprintjs/core'
import { LIMITS } from '@watchroom/shared/collab'
import type { EvidenceType } from '@watchroom/shared/incidents'
import type { ReactNode } from 'react'

import { CodeField } from '../../../ui/form/CodeField.tsx'
import type { FieldBinding } from '../../../ui/form/useForm.ts'
import { CEL_EXAMPLES } from './celExamples.ts'

import styles from '../evidence/evidence.module.css'

interface ScriptFieldProps extends FieldBinding<string> {
  readonly type: EvidenceType
}

/** The expression that decides whether an item is done, with examples to start from. */
export function ScriptField({ type, ...binding }: ScriptFieldProps): ReactNode {
  const examples = CEL_EXAMPLES[type] ?? []
  return (
    <>
      <CodeField label="CEL expression" language="cel" mark="optional" maxLength={LIMITS.scriptLength} {...binding} />
      {examples.length > 0 ? (
        <fieldset className={styles['dodExamples']} aria-label="Examples">
          {examples.map((example) => (
            <Button key={example} size="small" text={example} onClick={() => binding.onChange(example)} />
          ))}
        </fieldset>
      ) : null}
    </>
  )
}
