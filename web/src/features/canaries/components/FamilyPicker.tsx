import { Code } from '@blueprintjs/icons'
import { CHECK_TYPES, type CheckType, isRunnableType } from '@watchroom/shared/health/check-types'
import { useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { findProgramRefusal, type ProgramRules } from '../../../api/useProgramRules.ts'
import { CheckTypeIcon } from '../../../ui/CheckTypeIcon.tsx'
import { ChoiceCard, ChoiceCards, ChoiceIcon } from '../../../ui/ChoiceCards.tsx'
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
      <ChoiceCards width={280}>
        {found.map((type) => {
          const refusal = (type === 'self' ? noSelfChecks : null) ?? findProgramRefusal(programs, type)
          return (
            <ChoiceCard
              key={type}
              icon={
                <ChoiceIcon>
                  <CheckTypeIcon type={type} size={20} />
                </ChoiceIcon>
              }
              title={CHECK_FORMS[type].title}
              text={CHECK_FORMS[type].description}
              note={refusal ?? (isRunnableType(type) ? null : 'Not run by Watchroom’s own runner')}
              isDisabled={refusal !== null}
              onChoose={() => onChoose(type)}
            />
          )
        })}
        <ChoiceCard
          icon={
            <ChoiceIcon>
              <Code size={20} aria-hidden />
            </ChoiceIcon>
          }
          title="Custom"
          text="Write the whole spec as YAML, with any number and kind of checks."
          onChoose={onYaml}
        />
      </ChoiceCards>
    </section>
  )
}
