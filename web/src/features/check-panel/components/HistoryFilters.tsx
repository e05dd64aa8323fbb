import { type FormEvent, useState } from 'react'

import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { DURATION_CHOICES, tryParseDurationFilter } from '../durationFilter.ts'
import type { PanelSearch } from '../search.ts'

import styles from '../checkPanel.module.css'

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

const CUSTOM = { value: 'custom', label: 'Custom…' }

/** Filters of the history: by outcome, and by how long a run took at least. */
export function HistoryFilters({ status, minDuration, onStatus, onMinDuration }: HistoryFiltersProps) {
  const isChoice = minDuration !== undefined && (DURATION_CHOICES as readonly string[]).includes(minDuration)
  const [wantsToType, setTyping] = useState(false)
  // Also after Back, or from a link: values that are not in the list are shown in the field.
  const isTyping = wantsToType || (minDuration !== undefined && !isChoice)
  return (
    <div className={styles['filters']}>
      <SelectField
        label="Status"
        value={status}
        options={STATUS_OPTIONS}
        onChange={(chosen) => onStatus(STATUS_OPTIONS.find(({ value }) => value === chosen)?.value ?? 'all')}
      />
      <SelectField
        label="Duration"
        placeholder="All"
        value={isTyping ? CUSTOM.value : (minDuration ?? '')}
        options={[...DURATION_CHOICES, CUSTOM]}
        onChange={(chosen) => {
          setTyping(chosen === CUSTOM.value)
          if (chosen !== CUSTOM.value) onMinDuration(chosen === '' ? undefined : chosen)
        }}
      />
      {isTyping ? <CustomDuration value={minDuration ?? ''} isNew={wantsToType} onApply={onMinDuration} /> : null}
    </div>
  )
}

interface CustomDurationProps {
  value: string
  /** Whether it appeared because someone wants to type, not with the page. */
  isNew: boolean
  onApply: (minDuration: string | undefined) => void
}

/** What is typed applies on Enter or when the field loses focus; invalid text stays, with the reason. */
function CustomDuration({ value, isNew, onApply }: CustomDurationProps) {
  const [draft, setDraft] = useState(value)
  const [problem, setProblem] = useState<string | null>(null)
  const [applied, setApplied] = useState(value)
  const [seen, setSeen] = useState(value)
  // Back, Forward and links change it from outside; our own change coming back must not overwrite newer typing.
  if (value !== seen) {
    setSeen(value)
    if (value !== applied) {
      setApplied(value)
      setDraft(value)
      setProblem(null)
    }
  }

  function apply(): void {
    const text = draft.trim()
    const parsed = text === '' ? null : tryParseDurationFilter(text)
    setProblem(parsed === null || parsed.ok ? null : parsed.error)
    if (parsed !== null && !parsed.ok) return
    const next = text === '' ? undefined : text
    if (next === (value || undefined)) return
    setApplied(text)
    onApply(next)
  }

  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        apply()
      }}
    >
      <TextField
        label="At least"
        value={draft}
        placeholder="250ms or 1.5s"
        isFirst={isNew}
        error={problem ?? undefined}
        onChange={(text) => {
          setDraft(text)
          setProblem(null)
        }}
        onBlur={apply}
      />
    </form>
  )
}
