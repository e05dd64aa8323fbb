import { Button } from '@blueprintjs/core'
import { Cog, Cross, FloppyDisk, ThList } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import type { CheckSummary } from '@watchroom/shared/health'
import { useEffect, useRef, useState } from 'react'

import { THEMES } from '../../../preferences/theme.ts'
import { type Choice, SelectField } from '../../../ui/form/SelectField.tsx'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { useLatest } from '../../../ui/useLatest.ts'
import { toFilter, toFilterSearch, type WallSearch } from '../search.ts'
import { FilterFields } from './FilterFields.tsx'

import styles from '../wall.module.css'

const SECONDS = [0, 10, 20, 30, 60, 120, 300]
const COLUMNS = ['1', '2', '3', '4', '5', '6', '8', '10', '12', '16']
const WORDS = { groupBy: 'Group by', ungrouped: 'No Grouping' }

const toTurning = (seconds: number): Choice => ({
  value: String(seconds),
  label: seconds === 0 ? 'Never' : `Every ${seconds} s`,
})

interface WallSettingsProps {
  rows: readonly CheckSummary[]
  search: WallSearch
  /** Ids of the address that no saved board has. */
  unknownIds: readonly string[]
  onChange: (patch: Partial<WallSearch>) => void
}

/** What the wall shows and how. Every choice is in the address at once. */
export function WallSettings({ rows, search, unknownIds, onChange }: WallSettingsProps) {
  const [isOpen, setOpen] = useState(false)
  // Opened by the key, the field itself takes the next one.
  useHotkey('/', () => setOpen(true))
  return (
    <div className={styles['settings']}>
      {isOpen ? <Fields rows={rows} search={search} onChange={onChange} onClose={() => setOpen(false)} /> : null}
      {unknownIds.length > 0 ? (
        <p className={styles['fieldsNote']}>There’s no board named {unknownIds.map((id) => `“${id}”`).join(', ')}.</p>
      ) : null}
      <div className={styles['buttons']}>
        <Button
          variant="minimal"
          icon={<Cog />}
          active={isOpen}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={styles['controlText']}>Filter and look</span>
        </Button>
        <LinkButton
          to="/wall/boards"
          icon={<ThList />}
          text={<span className={styles['controlText']}>Saved boards</span>}
          kind="minimal"
        />
      </div>
    </div>
  )
}

function Fields({ rows, search, onChange, onClose }: Omit<WallSettingsProps, 'unknownIds'> & { onClose: () => void }) {
  const isRotating = search.boards !== ''
  const section = useRef<HTMLElement>(null)
  const close = useLatest(onClose)
  useEffect(() => {
    const fields = section.current
    fields?.querySelector<HTMLElement>('input, select')?.focus()
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close()
    }
    fields?.addEventListener('keydown', handleKeyDown)
    return () => fields?.removeEventListener('keydown', handleKeyDown)
  }, [close])
  return (
    <section ref={section} className={styles['fields']} aria-label="Filter and look">
      {isRotating ? (
        <p className={styles['fieldsNote']}>
          Saved boards have their own filters. <Link to="/wall/boards">Change them</Link>, or{' '}
          <button type="button" className={styles['link']} onClick={() => onChange({ boards: '' })}>
            leave them
          </button>
          .
        </p>
      ) : (
        <>
          <SearchInput
            value={search.query}
            placeholder="Search by name, description, or endpoint"
            onSearch={(query) => onChange({ query })}
          />
          <FilterFields
            rows={rows}
            filter={toFilter(search)}
            groupBy={search.groupBy}
            words={WORDS}
            onFilter={(filter) => onChange(toFilterSearch(filter))}
            onGroupBy={(groupBy) => onChange({ groupBy })}
          />
        </>
      )}
      <SelectField
        label="Columns"
        placeholder="As many as fit"
        options={COLUMNS}
        value={String(search.columns ?? '')}
        onChange={(columns) => onChange({ columns: Number(columns) || undefined })}
      />
      <SelectField
        label="Turn pages"
        options={[...new Set([...SECONDS, search.seconds])].map(toTurning)}
        value={String(search.seconds)}
        onChange={(seconds) => onChange({ seconds: Number(seconds) })}
      />
      <SelectField
        label="Theme"
        options={THEMES}
        value={search.theme}
        onChange={(chosen) => onChange({ theme: THEMES.find((theme) => theme === chosen) ?? 'dark' })}
      />
      <div className={styles['fieldsActions']}>
        {isRotating ? null : (
          <LinkButton
            to="/wall/boards"
            icon={<FloppyDisk />}
            text="Save as board"
            search={{
              new: 'true',
              query: search.query || undefined,
              labels: search.labels || undefined,
              namespace: search.namespace,
              groupBy: search.groupBy === 'no-group' ? undefined : search.groupBy,
            }}
          />
        )}
        <Button icon={<Cross />} text="Close" onClick={onClose} />
      </div>
    </section>
  )
}
