import { Button } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'

import { faultBelow } from '../../editor/faultBelow.ts'
import { FormCard } from '../../ui/form/FormCard.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { FamilyFieldInput } from './FamilyFieldInput.tsx'
import { asMap, RETENTION_LISTS, rowsOf, STALE } from './retention.ts'

import styles from './scrapers.module.css'

interface RetentionRulesProps {
  /** `retention` of the spec; whatever that is. */
  retention: unknown
  faults: ReadonlyMap<string, string>
  isReadOnly: boolean
  /** @param path below `retention` */
  onChange: (path: readonly (string | number)[], value: unknown) => void
}

/** What keeps changes and items from growing without end: a rule a row. */
export function RetentionRules({ retention, faults, isReadOnly, onChange }: RetentionRulesProps) {
  const written = asMap(retention)
  return (
    <FormCard label="Retention">
      <h2 className={styles['retention']}>Retention</h2>
      {RETENTION_LISTS.map((list) => {
        const rows = rowsOf(retention, list.key)
        return (
          <fieldset key={list.key} className={styles['rules']}>
            <legend>{list.title}</legend>
            {rows.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- names are being typed: only the place of a rule is its own
              <div key={index} className={styles['rule']}>
                {list.columns.map((column) => (
                  <FamilyFieldInput
                    key={column.key}
                    field={{ ...column, isRequired: column.key === 'name' }}
                    value={asMap(row).get(column.key)}
                    error={faultBelow(faults, `retention.${list.key}.${index}.${column.key}`)}
                    errorAt={() => undefined}
                    isReadOnly={isReadOnly}
                    onChange={(value) => onChange([list.key, index, column.key], value)}
                  />
                ))}
                {isReadOnly ? null : (
                  <IconButton
                    icon={<Trash />}
                    label={`Remove ${list.noun} ${index + 1}`}
                    onClick={() => onChange(rows.length === 1 ? [list.key] : [list.key, index], undefined)}
                  />
                )}
              </div>
            ))}
            {isReadOnly ? (
              rows.length === 0 && <span className="wr-muted">None</span>
            ) : (
              <Button
                className={`${styles['more']}`}
                size="small"
                icon={<Plus />}
                text={`Add ${list.noun}`}
                onClick={() => onChange([list.key], [...rows, { name: '' }])}
              />
            )}
          </fieldset>
        )
      })}
      <FamilyFieldInput
        field={STALE}
        value={written.get(STALE.key)}
        error={faultBelow(faults, `retention.${STALE.key}`)}
        errorAt={() => undefined}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange([STALE.key], value)}
      />
    </FormCard>
  )
}
