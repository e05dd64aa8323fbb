import { Button } from '@blueprintjs/core'
import type { ConnectionSummary } from '@watchroom/shared/settings/connections'

import { Field } from '../../../ui/form/Field.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

import styles from '../connections.module.css'

interface StoredValueProps {
  label: string
  mark: 'optional' | undefined
  error: string | undefined
  /** When it was entered and by whom, where that is known. */
  about: ConnectionSummary['credentials'][number] | undefined
  isReadOnly: boolean
  onReplace: () => void
}

/** A credential that the backend keeps and never shows. */
export function StoredValue({ label, mark, error, about, isReadOnly, onReplace }: StoredValueProps) {
  return (
    <Field label={label} mark={mark} error={error} isGroup>
      {() => (
        <div className={styles['stored']}>
          <span className="wr-muted">
            {about?.set_at ? (
              <>
                Set <TimeAgo at={about.set_at} />
                {about.set_by ? ` by ${about.set_by}` : null}
              </>
            ) : (
              'Set'
            )}
          </span>
          {isReadOnly ? null : (
            <Button
              size="small"
              variant="outlined"
              text="Replace"
              aria-label={`Replace ${label}`}
              onClick={onReplace}
            />
          )}
        </div>
      )}
    </Field>
  )
}
