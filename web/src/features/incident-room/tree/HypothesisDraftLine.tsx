import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { LIMITS } from '@watchroom/shared/collab'
import { HYPOTHESIS_TYPES, type HypothesisType } from '@watchroom/shared/incidents'
import { type FormEvent, useState } from 'react'

import { HYPOTHESIS_TYPE_WORDS } from '../words.ts'
import { toLevelStyle } from './levelStyle.ts'
import type { HypothesisDraft, KeptHypothesisDraft } from './useHypothesisDraft.ts'

import styles from '../incidentRoom.module.css'

interface HypothesisDraftLineProps {
  readonly draft: HypothesisDraft
  /** The person just asked to write here. */
  readonly takesFocus: boolean
  readonly onChange: KeptHypothesisDraft['change']
  /** Returns the reason if it is refused. */
  readonly onAdd: (draft: HypothesisDraft) => string | null
  readonly onCancel: () => void
}

/** The line for writing a new hypothesis. Enter adds it, Escape discards it. */
export function HypothesisDraftLine({ draft, takesFocus, onChange, onAdd, onCancel }: HypothesisDraftLineProps) {
  const { offered, type, title, level } = draft
  const [problem, setProblem] = useState<string | null>(null)
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    setProblem(onAdd(draft))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears Escape from the fields inside
    <form
      className={styles['draft']}
      style={toLevelStyle(level)}
      aria-label="New hypothesis"
      onSubmit={handleSubmit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      {offered === 'root' ? null : (
        <HTMLSelect
          aria-label="Type"
          value={type}
          onChange={({ currentTarget }) => onChange({ type: currentTarget.value as HypothesisType })}
        >
          {HYPOTHESIS_TYPES.filter((each) => each !== 'root').map((each) => (
            <option key={each} value={each}>
              {HYPOTHESIS_TYPE_WORDS[each]}
            </option>
          ))}
        </HTMLSelect>
      )}
      <InputGroup
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to write here
        autoFocus={takesFocus}
        fill
        aria-label={`Title of the new ${HYPOTHESIS_TYPE_WORDS[type].toLowerCase()}`}
        placeholder={type === 'solution' ? 'What could help' : 'What could be the cause'}
        maxLength={LIMITS.titleLength}
        value={title}
        onChange={({ currentTarget }) => {
          onChange({ title: currentTarget.value })
          setProblem(null)
        }}
      />
      <Button type="submit" intent="primary" text="Add" disabled={title.trim() === ''} />
      <Button variant="minimal" text="Cancel" onClick={onCancel} />
      {problem === null ? null : (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
