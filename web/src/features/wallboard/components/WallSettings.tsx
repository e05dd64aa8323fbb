import { Button, Classes, HTMLSelect } from '@blueprintjs/core'
import { Cog, Cross, FloppyDisk, ThList } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { type CheckSummary, tryParseGroupBy } from '@watchroom/shared/health'
import { toNamespace } from '@watchroom/shared/wall'
import { useEffect, useId, useMemo, useRef, useState } from 'react'

import { THEMES } from '../../../preferences/theme.ts'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { useLatest } from '../../../ui/useLatest.ts'
import { NO_NAMESPACE, parseLabels, stringifyLabels, type WallSearch } from '../search.ts'
import { GroupByOptions } from './GroupByOptions.tsx'
import { LabelChoices } from './LabelChoices.tsx'

import styles from '../wall.module.css'

const SECONDS = [0, 10, 20, 30, 60, 120, 300]
const COLUMNS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16]

interface WallSettingsProps {
  rows: readonly CheckSummary[]
  search: WallSearch
  /** Ids of the address that no saved board has. */
  unknownIds?: readonly string[]
  onChange: (patch: Partial<WallSearch>) => void
}

const NONE: readonly string[] = []

/** What the wall shows and how. Every choice is in the address at once. */
export function WallSettings({ rows, search, unknownIds = NONE, onChange }: WallSettingsProps) {
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
        <Link className={`${Classes.BUTTON} ${Classes.MINIMAL}`} to="/wall/boards" search={{}}>
          <span className={Classes.ICON}>
            <ThList />
          </span>
          <span className={`${Classes.BUTTON_TEXT} ${styles['controlText']}`}>Saved boards</span>
        </Link>
      </div>
    </div>
  )
}

function Fields({ rows, search, onChange, onClose }: WallSettingsProps & { onClose: () => void }) {
  const id = useId()
  const namespaces = useMemo(() => [...new Set(rows.map(toNamespace))].toSorted(), [rows])
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
          <label htmlFor={`${id}-namespace`}>
            Namespace
            <HTMLSelect
              id={`${id}-namespace`}
              value={search.namespace ?? ''}
              onChange={(event) => onChange({ namespace: event.currentTarget.value || undefined })}
            >
              <option value="">All</option>
              {namespaces.map((namespace) => (
                <option key={namespace} value={namespace || NO_NAMESPACE}>
                  {namespace || 'none'}
                </option>
              ))}
            </HTMLSelect>
          </label>
          <label htmlFor={`${id}-group`}>
            Group by
            <HTMLSelect
              id={`${id}-group`}
              value={search.groupBy}
              onChange={(event) => onChange({ groupBy: tryParseGroupBy(event.currentTarget.value) ?? 'no-group' })}
            >
              <GroupByOptions rows={rows} ungrouped="No Grouping" />
            </HTMLSelect>
          </label>
          <LabelChoices
            rows={rows}
            labels={parseLabels(search.labels)}
            onChange={(labels) => onChange({ labels: stringifyLabels(labels) })}
          />
        </>
      )}
      <label htmlFor={`${id}-columns`}>
        Columns
        <HTMLSelect
          id={`${id}-columns`}
          value={search.columns ?? 0}
          onChange={(event) => onChange({ columns: Number(event.currentTarget.value) || undefined })}
        >
          <option value={0}>As many as fit</option>
          {COLUMNS.map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </HTMLSelect>
      </label>
      <label htmlFor={`${id}-seconds`}>
        Turn pages
        <HTMLSelect
          id={`${id}-seconds`}
          value={search.seconds}
          onChange={(event) => onChange({ seconds: Number(event.currentTarget.value) })}
        >
          {(SECONDS.includes(search.seconds) ? SECONDS : [...SECONDS, search.seconds]).map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? 'Never' : `Every ${seconds} s`}
            </option>
          ))}
        </HTMLSelect>
      </label>
      <label htmlFor={`${id}-theme`}>
        Theme
        <HTMLSelect
          id={`${id}-theme`}
          value={search.theme}
          onChange={(event) =>
            onChange({ theme: THEMES.find((theme) => theme === event.currentTarget.value) ?? 'dark' })
          }
        >
          {THEMES.map((theme) => (
            <option key={theme} value={theme}>
              {theme}
            </option>
          ))}
        </HTMLSelect>
      </label>
      <div className={styles['fieldsActions']}>
        {isRotating ? null : (
          <Link
            className={Classes.BUTTON}
            to="/wall/boards"
            search={{
              new: 'true',
              query: search.query || undefined,
              labels: search.labels || undefined,
              namespace: search.namespace,
              groupBy: search.groupBy === 'no-group' ? undefined : search.groupBy,
            }}
          >
            <span className={Classes.ICON}>
              <FloppyDisk />
            </span>
            <span className={Classes.BUTTON_TEXT}>Save as board</span>
          </Link>
        )}
        <Button icon={<Cross />} text="Close" onClick={onClose} />
      </div>
    </section>
  )
}
