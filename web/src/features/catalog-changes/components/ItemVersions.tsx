import { Button, HTMLSelect, SegmentedControl } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import type { DiffHunk } from '@watchroom/shared/catalog'
import { type ReactNode, useId, useMemo, useState } from 'react'

import { usePeople } from '../../../api/people.ts'
import { useDiffLayout } from '../../../preferences/configChanges.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { DiffView } from '../../../ui/diff/DiffView.tsx'
import { toDiffHunks } from '../../../ui/diff/toDiffHunks.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { useVersions, type Version } from '../useVersions.ts'

import styles from '../catalogChanges.module.css'

type Look = 'unified' | 'sides' | 'whole'

/** What an item looked like at any of its changes, and what differs between two of these moments. */
export function ItemVersions({ configId }: { configId: string }) {
  const found = useVersions(configId)
  return (
    <DataStates state={found.state}>
      {(data) =>
        data === null ? (
          <EmptyState title="Details not found" />
        ) : found.versions.length < 2 ? (
          <EmptyState title="One version">
            {found.brokenAt === null
              ? 'No change of this item has a diff, so there’s nothing to compare.'
              : 'Earlier versions can’t be rebuilt: the last change doesn’t match the content.'}
          </EmptyState>
        ) : (
          <Versions {...found} />
        )
      }
    </DataStates>
  )
}

type VersionsProps = ReturnType<typeof useVersions>

function Versions(props: VersionsProps) {
  const { versions, shown, base, brokenAt, isCut, isCompared, onShow, onCompare, onLoad, isLoading } = props
  const toName = useVersionName()
  const [layout, setLayout] = useDiffLayout()
  const [isWhole, setWhole] = useState(false)
  const look: Look = isWhole ? 'whole' : layout
  const at = shown ? versions.indexOf(shown) : -1
  const [newer, older] = [versions[at - 1], at === -1 ? undefined : versions[at + 1]]
  return (
    <section className={styles['versions']} aria-label="Versions">
      <div className={styles['versionTools']}>
        <VersionField label="Version" versions={versions} value={at} toName={toName} onChange={onShow} />
        <span>
          <IconButton
            icon={<ChevronLeft />}
            label="Older version"
            disabled={!older}
            onClick={() => older && onShow(older)}
          />
          <IconButton
            icon={<ChevronRight />}
            label="Newer version"
            disabled={!newer}
            onClick={() => newer && onShow(newer)}
          />
        </span>
        <VersionField
          label="Compared with"
          versions={versions}
          value={isCompared && base ? versions.indexOf(base) : -1}
          none="Previous version"
          toName={toName}
          onChange={onCompare}
          onNone={() => onCompare(null)}
        />
        <SegmentedControl
          aria-label="Show"
          size="small"
          value={look}
          onValueChange={(value) => {
            setWhole(value === 'whole')
            if (value === 'unified' || value === 'sides') setLayout(value)
          }}
          options={[
            { value: 'unified', label: 'Unified' },
            { value: 'sides', label: 'Side by side' },
            { value: 'whole', label: 'Whole text' },
          ]}
        />
      </div>
      {shown === undefined ? (
        <EmptyState title="No such version">Nothing is known about this item at that time.</EmptyState>
      ) : (
        <Content shown={shown} base={base} look={look} />
      )}
      {brokenAt === null ? null : (
        <p className="wr-muted">
          Earlier versions can’t be rebuilt: {toName({ change: brokenAt, text: '' })} doesn’t match the version after
          it.
        </p>
      )}
      {isCut ? <p className="wr-muted">Earlier versions are too large to show together with these.</p> : null}
      {onLoad === null ? null : (
        <div>
          <Button text="Load earlier versions" loading={isLoading} onClick={onLoad} />
        </div>
      )}
    </section>
  )
}

interface VersionFieldProps {
  label: string
  versions: readonly Version[]
  /** Place in the list; -1 for none. */
  value: number
  /** What stands for none, where it can be chosen. */
  none?: string
  toName: (version: Version) => string
  onChange: (version: Version) => void
  onNone?: () => void
}

function VersionField({ label, versions, value, none, toName, onChange, onNone }: VersionFieldProps) {
  const id = useId()
  return (
    <div className={styles['versionField']}>
      <label htmlFor={id}>{label}</label>
      <HTMLSelect
        id={id}
        fill
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = versions[Number(currentTarget.value)]
          if (chosen) onChange(chosen)
          else onNone?.()
        }}
      >
        {none === undefined && value !== -1 ? null : <option value={-1}>{none ?? ''}</option>}
        {versions.map((version, at) => (
          <option key={version.change?.id ?? 'first'} value={at}>
            {toName(version)}
          </option>
        ))}
      </HTMLSelect>
    </div>
  )
}

function Content({ shown, base, look }: { shown: Version; base: Version | undefined; look: Look }): ReactNode {
  const hunks = useMemo(
    () => (look === 'whole' ? toWhole(shown.text) : base ? toDiffHunks(base.text, shown.text) : []),
    [look, shown, base],
  )
  if (look !== 'whole' && base === undefined) {
    return <EmptyState title="The first known version">There’s no earlier version to compare it with.</EmptyState>
  }
  if (hunks.length === 0) return <EmptyState title="No differences">Both versions are the same.</EmptyState>
  return <DiffView diff={hunks} layout={look === 'sides' ? 'sides' : 'unified'} />
}

const toWhole = (text: string): DiffHunk[] => [
  {
    lines: text
      .replace(/\n$/, '')
      .split('\n')
      .map((line, at) => ({ kind: 'same', text: line, before: null, after: at + 1 })),
  },
]

function useVersionName(): (version: Version) => string {
  const toExact = useExactTime()
  const { nameOf } = usePeople()
  return ({ change }) => {
    if (change === null) return 'Before the first change'
    const { created_at: at, created_by: person, external_created_by: name, summary, change_type: type } = change
    const author = (person && nameOf(person)) || name
    return [toExact(parseMoment(at)), summary || type, author].filter(Boolean).join(' · ')
  }
}
