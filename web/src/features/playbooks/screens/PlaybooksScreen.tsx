import { Button, Tag } from '@blueprintjs/core'
import { Edit, History, Play, Plus, Trash } from '@blueprintjs/icons'
import { Link, useNavigate } from '@tanstack/react-router'
import type { PlaybookCard as Playbook } from '@watchroom/shared/playbooks'
import { playbooksTopic } from '@watchroom/shared/protocol'
import { useMemo, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { Freshness } from '../../../live/Freshness.tsx'
import { toTopicState } from '../../../live/toTopicState.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { RowMenu } from '../../../ui/table/RowMenu.tsx'
import { Tip } from '../../../ui/Tip.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { DeletePlaybookDialog } from '../components/DeletePlaybookDialog.tsx'
import { PlaybookIcon } from '../components/PlaybookIcon.tsx'
import { RunPlaybookDialog } from '../components/RunPlaybookDialog.tsx'
import { fetchPlaybooks } from '../playbookQueries.ts'
import { titleOf } from '../runParts.ts'
import { PlaybooksSearchSchema } from '../search.ts'

import styles from '../playbooks.module.css'

const OPTIONS = { fetchRows: fetchPlaybooks }

/** `/playbooks`: what can be run, by category. */
export function PlaybooksScreen() {
  const topic = useTopic(playbooksTopic, {}, OPTIONS)
  const state = toTopicState(topic, 'playbooks')
  const mayWrite = useSession().can('write', 'playbooks')
  const navigate = useNavigate()
  const [search, setSearch] = useSearchState(PlaybooksSearchSchema)
  const [deleted, setDeleted] = useState<Playbook | null>(null)
  const groups = useMemo(() => toGroups(topic.rows, search.query), [topic.rows, search.query])
  const add = mayWrite
    ? { text: 'New playbook', icon: <Plus />, onClick: () => void navigate({ to: '/playbooks/new' }) }
    : null
  return (
    <>
      <PageHeader
        title="Playbooks"
        action={add}
        controls={
          <CommandButton
            icon={<History />}
            variant="minimal"
            command="Runs"
            onClick={() => void navigate({ to: '/playbooks/runs' })}
          />
        }
      >
        <Total of={state.data?.length} />
        <Freshness view={topic} />
      </PageHeader>
      <div className={styles['cardsSearch']}>
        <SearchInput
          value={search.query}
          placeholder="Search playbooks"
          onSearch={(text) => setSearch({ query: text }, { replace: true })}
        />
      </div>
      <DataStates state={state}>
        {(rows) =>
          groups.length > 0 ? (
            groups.map(([category, playbooks]) => (
              <section key={category} className={styles['category']} aria-label={category}>
                <h2>
                  {category} <span className="wr-muted">{playbooks.length}</span>
                </h2>
                <ul className={styles['cards']}>
                  {playbooks.map((playbook) => (
                    <PlaybookCard
                      key={playbook.id}
                      playbook={playbook}
                      onRun={() => setSearch({ run: playbook.id })}
                      onDelete={() => setDeleted(playbook)}
                    />
                  ))}
                </ul>
              </section>
            ))
          ) : (
            <section className={styles['panel']}>
              {rows.length === 0 ? (
                <EmptyState title="No playbooks yet" action={add === null ? null : <Button {...add} />}>
                  Playbooks are automated runbooks. Run them on a check, a component, a config item, or on their own.
                </EmptyState>
              ) : (
                <EmptyState
                  title="No playbooks found"
                  action={<Button text="Clear search" onClick={() => setSearch({ query: '' })} />}
                >
                  No playbook matches this search.
                </EmptyState>
              )}
            </section>
          )
        }
      </DataStates>
      {search.run !== '' && mayWrite ? (
        <RunPlaybookDialog key={search.run} playbookId={search.run} onClose={() => setSearch({ run: '' })} />
      ) : null}
      {deleted === null ? null : (
        <DeletePlaybookDialog playbook={deleted} onClose={() => setDeleted(null)} onDeleted={() => topic.refresh()} />
      )}
    </>
  )
}

const OTHER = 'Other'

/** Playbooks by category, categories by name; those without one come last. */
function toGroups(rows: readonly Playbook[], query: string): [string, Playbook[]][] {
  const wanted = query.trim().toLowerCase()
  const found = rows.filter((row) =>
    `${titleOf(row)}\n${row.category ?? ''}\n${row.description ?? ''}`.toLowerCase().includes(wanted),
  )
  const groups = new Map<string, Playbook[]>()
  for (const row of found) {
    const category = row.category || OTHER
    groups.set(category, [...(groups.get(category) ?? []), row])
  }
  return [...groups].toSorted(
    ([one], [other]) => Number(one === OTHER) - Number(other === OTHER) || one.localeCompare(other),
  )
}

interface PlaybookCardProps {
  playbook: Playbook
  onRun: () => void
  onDelete: () => void
}

function PlaybookCard({ playbook, onRun, onDelete }: PlaybookCardProps) {
  const mayWrite = useSession().can('write', 'playbooks')
  const missing = useMissing('playbooks')
  const navigate = useNavigate()
  const title = titleOf(playbook)
  const open = (): void => void navigate({ to: '/playbooks/$id', params: { id: playbook.id } })
  return (
    <li className={styles['card']}>
      <div className={styles['cardHead']}>
        <PlaybookIcon icon={playbook.icon} />
        <h3>
          <Link to="/playbooks/$id" params={{ id: playbook.id }}>
            {title}
          </Link>
        </h3>
        {playbook.source && playbook.source !== 'UI' ? <Tag minimal>{playbook.source}</Tag> : null}
        {mayWrite ? (
          <RowMenu
            name={title}
            actions={[
              { text: 'Edit', icon: <Edit />, onSelect: open },
              { text: 'Delete', icon: <Trash />, onSelect: onDelete, isDestructive: true },
            ]}
          />
        ) : null}
      </div>
      <p className={styles['cardText']}>{playbook.description}</p>
      <div className={styles['cardFoot']}>
        <Button
          size="small"
          icon={<History />}
          text="History"
          aria-label={`History of ${title}`}
          onClick={() => void navigate({ to: '/playbooks/runs', search: { playbook: playbook.id } })}
        />
        {mayWrite ? (
          <Tip content={missing ?? `Run ${title}`}>
            <Button
              size="small"
              intent="primary"
              icon={<Play />}
              text="Run"
              aria-label={missing === null ? `Run ${title}` : `Run ${title}. ${missing}`}
              disabled={missing !== null}
              onClick={onRun}
            />
          </Tip>
        ) : null}
      </div>
    </li>
  )
}
