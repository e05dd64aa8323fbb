import { Button, DialogBody } from '@blueprintjs/core'
import { Notifications, Plus } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { useListPage } from '../../../api/useListPage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { OpenedRow } from '../../../ui/dialog/OpenedRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { CreateRuleDialog, EditRuleDialog } from '../components/RuleDialog.tsx'
import { type RuleSummary, ruleSummaryTable, ruleTable, useLiveNotifications } from '../queries.ts'
import { ruleColumns, titleOf } from '../ruleColumns.tsx'
import { DEFAULT_PAGE_SIZE, RuleSearchSchema, toRuleAsk } from '../search.ts'

import styles from '../notifications.module.css'

const toRule = ({ id }: RuleSummary): RowLink => ({ to: '.', search: (current) => ({ ...current, id }) })

/** `/settings/notifications`: who is notified about what, and with what success. */
export function NotificationsScreen() {
  const live = useLiveNotifications()
  const mayWrite = useSession().can('write', 'notifications')
  const hasHistory = useMissing('notificationHistory') === null
  const hasReasons = useMissing('notificationReasons') === null
  const [search, setSearch] = useSearchState(RuleSearchSchema)
  const page = useListPage(ruleSummaryTable, {
    ask: toRuleAsk(search),
    what: 'notifications',
    search,
    setSearch,
    defaultSize: DEFAULT_PAGE_SIZE,
  })
  const columns = useMemo(() => ruleColumns(({ id }) => setSearch({ failed: id })), [setSearch])
  const add = mayWrite ? { text: 'Add notification', icon: <Plus />, onClick: () => setSearch({ add: true }) } : null
  return (
    <>
      <PageHeader title="Notifications" action={add}>
        <span className={styles['total']}>
          <Total of={page.total} />
        </span>
        {hasHistory ? <Link to="/settings/notifications/history">History</Link> : null}
        {hasReasons ? <Link to="/settings/notifications/why">Why (not)?</Link> : null}
        {mayWrite ? <Link to="/settings/notifications/silence">Silences</Link> : null}
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="notifications"
        label="Notifications"
        {...page.wiring}
        columns={columns}
        rowLink={toRule}
        openKey={search.id}
        empty={{
          icon: <Notifications size={28} />,
          title: 'No notifications yet',
          text: 'A notification defines who hears about which events, by mail, chat or webhook.',
          ...(add ? { action: <Button {...add} /> } : {}),
        }}
        filteredEmpty={search.query === '' ? null : { text: 'No notification matches this title.' }}
        toolbar={{
          search: {
            value: search.query,
            placeholder: 'Search notifications',
            onSearch: (query) => setSearch({ query, pageIndex: 0 }, { replace: true }),
          },
        }}
      />
      {search.add && mayWrite ? <CreateRuleDialog onClose={() => setSearch({ add: false })} /> : null}
      {search.id === '' ? null : (
        <OpenRule key={search.id} id={search.id} mayWrite={mayWrite} onClose={() => setSearch({ id: '' })} />
      )}
      {search.failed === '' ? null : (
        <MostCommonError key={search.failed} id={search.failed} onClose={() => setSearch({ failed: '' })} />
      )}
    </>
  )
}

function OpenRule({ id, ...props }: { id: string; mayWrite: boolean; onClose: () => void }) {
  return (
    <OpenedRow query={useQuery(ruleTable.oneQuery(id))} noun="notification" onClose={props.onClose}>
      {(rule) => <EditRuleDialog rule={rule} {...props} />}
    </OpenedRow>
  )
}

function MostCommonError({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(ruleSummaryTable.oneQuery(id))
  const hasHistory = useMissing('notificationHistory') === null
  return (
    <OpenedRow query={query} noun="notification" onClose={onClose}>
      {(rule) => (
        <SizedDialog size="small" isOpen title={`Most common error of ${titleOf(rule)}`} onClose={onClose}>
          <DialogBody>
            <pre className={styles['message']}>{rule.most_common_error ?? 'Nothing failed.'}</pre>
            {hasHistory ? (
              <Link to="/settings/notifications/history" search={{ rule: id, status: 'error' }}>
                Show what failed
              </Link>
            ) : null}
          </DialogBody>
        </SizedDialog>
      )}
    </OpenedRow>
  )
}
