import { Console } from '@blueprintjs/icons'

import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'

import styles from '../records.module.css'

/** Logs have no service behind them yet. Says so instead of showing a search that finds nothing. */
export function LogsScreen() {
  return (
    <>
      <PageHeader title="Logs" />
      <section className={styles['panel']}>
        <EmptyState title="No log source answers here yet" icon={<Console size={24} />}>
          This version of Watchroom has no log service. Log searches will open on this page once it has one.
        </EmptyState>
      </section>
    </>
  )
}
