import { FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useState } from 'react'

import { DURATION_CHOICES, tryParseDurationFilter } from './durationFilter.ts'
import type { PanelSearch } from './panelSearch.ts'

interface HistoryFiltersProps {
  status: PanelSearch['status']
  minDuration: string | undefined
  onStatus: (status: PanelSearch['status']) => void
  onMinDuration: (minDuration: string | undefined) => void
}

const STATUS_OPTIONS = [
  { value: 'all', label: 'All' },
  { value: 'healthy', label: 'Healthy' },
  { value: 'unhealthy', label: 'Unhealthy' },
] as const

const CUSTOM = 'custom'

/** Filters of the history: by outcome, and by how long a run took at least. */
export function HistoryFilters({ status, minDuration, onStatus, onMinDuration }: HistoryFiltersProps) {
  const id = useId()
  const isChoice = minDuration !== undefined && (DURATION_CHOICES as readonly string[]).includes(minDuration)
  const [wantsToType, setTyping] = useState(false)
  // Also after Back, or by a link: what is no choice of the list is in the field.
  const isTyping = wantsToType || (minDuration !== undefined && !isChoice)
  return (
    <div className="check-filters">
      <div className="check-filter">
        <label htmlFor={`${id}-status`}>Status</label>
        <HTMLSelect
          id={`${id}-status`}
          value={status}
          options={STATUS_OPTIONS}
          onChange={({ currentTarget }) => {
            const chosen = STATUS_OPTIONS.find(({ value }) => value === currentTarget.value)
            if (chosen) onStatus(chosen.value)
          }}
        />
      </div>
      <div className="check-filter">
        <label htmlFor={`${id}-duration`}>Duration</label>
        <HTMLSelect
          id={`${id}-duration`}
          value={isTyping ? CUSTOM : (minDuration ?? '')}
          options={[
            { value: '', label: 'All' },
            ...DURATION_CHOICES.map((choice) => ({ value: choice, label: choice })),
            { value: CUSTOM, label: 'Custom…' },
          ]}
          onChange={({ currentTarget: { value } }) => {
            setTyping(value === CUSTOM)
            if (value !== CUSTOM) onMinDuration(value === '' ? undefined : value)
          }}
        />
      </div>
      {isTyping ? (
        <CustomDuration id={`${id}-custom`} value={minDuration ?? ''} isNew={wantsToType} onApply={onMinDuration} />
      ) : null}
    </div>
  )
}

interface CustomDurationProps {
  id: string
  value: string
  /** It appeared because somebody wants to type, and not with the page. */
  isNew: boolean
  onApply: (minDuration: string | undefined) => void
}

/** What is typed counts on Enter or when the field is left; what cannot be read stays, with the reason. */
function CustomDuration({ id, value, isNew, onApply }: CustomDurationProps) {
  const [draft, setDraft] = useState(value)
  const [problem, setProblem] = useState<string | null>(null)

  function apply(): void {
    const text = draft.trim()
    const parsed = text === '' ? null : tryParseDurationFilter(text)
    setProblem(parsed === null || parsed.ok ? null : parsed.error)
    if (parsed !== null && !parsed.ok) return
    const next = text === '' ? undefined : text
    if (next !== (value || undefined)) onApply(next)
  }

  return (
    <form
      className="check-filter"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        apply()
      }}
    >
      <FormGroup
        label="At least"
        labelFor={id}
        intent={problem === null ? 'none' : 'danger'}
        helperText={
          <span id={`${id}-problem`} role="alert">
            {problem}
          </span>
        }
        inline
      >
        <InputGroup
          id={id}
          value={draft}
          placeholder="250ms or 1.5s"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just chose to type here
          autoFocus={isNew}
          intent={problem === null ? 'none' : 'danger'}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={(event) => {
            setDraft(event.currentTarget.value)
            setProblem(null)
          }}
          onBlur={apply}
        />
      </FormGroup>
    </form>
  )
}
