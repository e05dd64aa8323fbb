import { ACTIONS, can, type Resource, RESOURCES, ROLES } from '@watchroom/shared/access'

import { toReadyState } from '../../../ui/dataState.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { KeyGroups } from '../components/KeyGroups.tsx'

import styles from '../docs.module.css'

const STATUSES: readonly { status: GlyphStatus; meaning: string }[] = [
  { status: 'healthy', meaning: 'The last run passed. For a group, all members are healthy.' },
  { status: 'unhealthy', meaning: 'The last run failed. For a group, all members are unhealthy.' },
  { status: 'warning', meaning: 'Some members are healthy and some are not, or the source reports a warning.' },
  { status: 'unknown', meaning: 'Nothing has been reported yet.' },
  { status: 'running', meaning: 'In progress now.' },
  { status: 'paused', meaning: 'Suspended, skipped or cancelled: nothing is expected to happen.' },
  { status: 'deleted', meaning: 'No longer exists at its source; kept so that links to it still work.' },
]

const FRESHNESS: readonly { word: string; meaning: string }[] = [
  { word: 'Live', meaning: 'Changes arrive automatically, within seconds.' },
  { word: 'Delayed', meaning: 'The source is late. The number shows how old the data is, and rows stay as they were.' },
  {
    word: 'Disconnected',
    meaning: 'The connection is down. The number shows for how long, and rows are as they were then.',
  },
  {
    word: 'Polling',
    meaning: 'The live connection is down or full. The page asks again by itself. The number shows since when.',
  },
  { word: 'Loading', meaning: 'The data is on its way.' },
  { word: 'Not loaded', meaning: 'Loading failed. The rows are from the time shown; the page tries again by itself.' },
  { word: 'No data', meaning: 'Loading failed, and there are no earlier rows.' },
  { word: 'No access', meaning: 'Your roles do not let you see this data.' },
]

/** What people need to read the screens: words, glyphs, keys and rights. Part of the product, so that it works offline. */
export function DocsScreen() {
  return (
    <>
      <PageHeader title="Docs" />
      <div className={styles['docs']}>
        <section aria-labelledby="docs-status">
          <h2 id="docs-status">Health</h2>
          <dl>
            {STATUSES.map(({ status, meaning }) => (
              <div key={status}>
                <dt>
                  <StatusGlyph status={status} />
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section aria-labelledby="docs-freshness">
          <h2 id="docs-freshness">How old the data is</h2>
          <dl>
            {FRESHNESS.map(({ word, meaning }) => (
              <div key={word}>
                <dt>{word}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section aria-labelledby="docs-keys" className={styles['wide']}>
          <h2 id="docs-keys">Keys</h2>
          <KeyGroups pathname="" />
        </section>
        <section aria-labelledby="docs-links">
          <h2 id="docs-links">Links</h2>
          <p>
            The URL holds filters, sorting, page and open panel. Share it to show someone exactly what you see, within
            their own permissions.
          </p>
        </section>
        <section aria-labelledby="docs-rights" className={styles['wide']}>
          <h2 id="docs-rights">Who may do what</h2>
          <p>Someone with several roles can do whatever any of them allows. People without a role are viewers.</p>
          <RightsTable />
        </section>
        <section aria-labelledby="docs-licenses">
          <h2 id="docs-licenses">Licenses</h2>
          <p>
            Watchroom is open source under the Apache License 2.0. It includes{' '}
            <a href="/third-party-licenses.md">third-party packages</a>, each under its own license.
          </p>
        </section>
      </div>
    </>
  )
}

interface Rights {
  readonly resource: Resource
}

const RIGHTS: readonly Rights[] = RESOURCES.map((resource) => ({ resource }))
const RIGHTS_COLUMNS: readonly TableColumn<Rights>[] = [
  {
    key: 'resource',
    title: 'Resource',
    kind: 'text',
    isMain: true,
    value: ({ resource }) => resource.replaceAll('_', ' '),
  },
  ...ROLES.map((role): TableColumn<Rights> => ({
    key: role,
    title: role,
    kind: 'text',
    value: ({ resource }) => ACTIONS.filter((action) => can([role], action, resource)).join(', ') || 'nothing',
  })),
]

function RightsTable() {
  return (
    <ResourceTable
      name="rights"
      label="Rights"
      place="part"
      fold="none"
      state={toReadyState('rights', RIGHTS)}
      columns={RIGHTS_COLUMNS}
      keyOf={({ resource }) => resource}
      empty={{}}
    />
  )
}
