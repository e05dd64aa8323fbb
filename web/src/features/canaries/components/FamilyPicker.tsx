import { Code } from '@blueprintjs/icons'
import { CHECK_TYPES, type CheckType, isRunnableType } from '@watchroom/shared/health/check-types'
import { useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { findProgramRefusal, type ProgramRules } from '../../../api/useProgramRules.ts'
import { CheckTypeIcon } from '../../../ui/CheckTypeIcon.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { CHECK_FORMS } from '../spec/checkForms.ts'

import styles from '../canaries.module.css'

interface FamilyPickerProps {
  programs: ProgramRules
  onChoose: (type: CheckType) => void
  /** Leads to the YAML view with nothing in it. */
  onYaml: () => void
}

/** What kind of check to add. */
export function FamilyPicker({ programs, onChoose, onYaml }: FamilyPickerProps) {
  const [query, setQuery] = useState('')
  const noSelfChecks = useMissing('selfChecks')
  const wanted = query.trim().toLowerCase()
  const found = CHECK_TYPES.filter((type) => {
    const { title, description } = CHECK_FORMS[type]
    return `${type} ${title} ${description}`.toLowerCase().includes(wanted)
  })
  return (
    <section className={styles['picker']} aria-label="Kind of check">
      <div className={styles['pickerBar']}>
        <h2>What should be watched?</h2>
        <SearchInput value={query} placeholder="Search kinds of checks" debounceMs={0} onSearch={setQuery} />
      </div>
      {found.length === 0 ? (
        <EmptyState title={`No kind of check matches “${query.trim()}”`}>
          Write checks of any other kind as YAML.
        </EmptyState>
      ) : null}
      <ul className={styles['families']}>
        {found.map((type) => {
          const refusal = (type === 'self' ? noSelfChecks : null) ?? findProgramRefusal(programs, type)
          const note = refusal ?? (isRunnableType(type) ? null : 'Not run by Watchroom’s own runner')
          return (
            <li key={type}>
              <button
                type="button"
                className={styles['family']}
                aria-disabled={refusal !== null}
                onClick={refusal === null ? () => onChoose(type) : undefined}
              >
                <span className={styles['familyIcon']}>
                  <CheckTypeIcon type={type} size={20} />
                </span>
                <span>
                  <strong>{CHECK_FORMS[type].title}</strong>
                  <span className="wr-muted">{CHECK_FORMS[type].description}</span>
                  {note === null ? null : <span className={`${styles['familyNote']} wr-muted`}>{note}</span>}
                </span>
              </button>
            </li>
          )
        })}
        <li>
          <button type="button" className={styles['family']} onClick={onYaml}>
            <span className={styles['familyIcon']}>
              <Code size={20} aria-hidden />
            </span>
            <span>
              <strong>Custom</strong>
              <span className="wr-muted">Write the whole spec as YAML, with any number and kind of checks.</span>
            </span>
          </button>
        </li>
      </ul>
    </section>
  )
}
