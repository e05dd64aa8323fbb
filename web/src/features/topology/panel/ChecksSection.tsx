import { Link } from '@tanstack/react-router'
import { checksTopic } from '@watchroom/shared/protocol'
import { type Component, toComponentHealth } from '@watchroom/shared/topology'
import { type ReactNode, useMemo } from 'react'

import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { isUnproven } from '../../../live/isUnproven.ts'
import type { OpenCheck } from '../../../live/openCheck.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { countChecks, hasParts, toChecksText, toPartsNote } from '../components/SummaryCounts.tsx'
import { PanelSearchSchema } from './search.ts'
import { type ComponentCheck, checkTable } from './tables.ts'

import styles from './panel.module.css'

interface ChecksSectionProps {
  component: Component
  isOpen: boolean
  renderCheck: (open: OpenCheck) => ReactNode
}

const NO_PARAMS = {}

/** `unhealthy` stands after `healthy` in the alphabet. */
const WORST_FIRST = { by: 'status.desc.nullslast,name', direction: 'asc' } as const

/** Checks of the component, as they are now. */
export function ChecksSection({ component, isOpen, renderCheck }: ChecksSectionProps) {
  const [{ checkId }, setSearch] = useSearchState(PanelSearchSchema)
  const found = useEndlessRows(
    checkTable,
    { filters: [`component_id=eq.${component.id}`], order: WORST_FIRST },
    'checks',
  )
  useOnChange([component], found.onStale)
  return (
    <>
      <EndlessSection
        name="checks"
        title="Checks"
        found={found}
        keyOf={checkTable.keyOf}
        note={toPartsNote(component, countChecks(component), found.total)}
        empty={toEmptyText(component)}
        renderRow={(check) => <Check check={check} />}
      />
      {isOpen || checkId !== '' ? (
        <BoardWatch
          checkId={checkId}
          onChange={found.onStale}
          onClose={() => setSearch({ checkId: '' })}
          renderCheck={renderCheck}
        />
      ) : null}
    </>
  )
}

/** Cards count the checks of parts, too. */
function toEmptyText(component: Component): string {
  const ofParts = hasParts(component) ? toChecksText(component.summary?.checks ?? {}) : ''
  return ofParts === ''
    ? 'No check watches this component.'
    : `No check watches this component itself. Its parts have ${ofParts}.`
}

interface BoardWatchProps {
  checkId: string
  onChange: () => void
  onClose: () => void
  renderCheck: (open: OpenCheck) => ReactNode
}

/** The whole board comes for those who look at checks alone. */
function BoardWatch({ checkId, onChange, onClose, renderCheck }: BoardWatchProps): ReactNode {
  const topic = useTopic(checksTopic, NO_PARAMS)
  useOnChange([topic.rows], onChange)
  const check = useMemo(() => topic.rows.find(({ id }) => id === checkId), [topic.rows, checkId])
  if (checkId === '') return null
  return renderCheck({
    checkId,
    check,
    isBoardLoading: topic.state === 'loading',
    isOld: isUnproven(topic),
    onClose,
  })
}

function Check({ check }: { check: ComponentCheck }) {
  const { id, name, type, severity, status } = check
  return (
    <div className={styles['row']}>
      <StatusGlyph status={toComponentHealth(status)} isWordHidden />
      <Link to="." search={(current) => ({ ...current, checkId: id })}>
        {name || id}
      </Link>
      <span className="wr-muted">{[type, severity].filter(Boolean).join(', ')}</span>
    </div>
  )
}
