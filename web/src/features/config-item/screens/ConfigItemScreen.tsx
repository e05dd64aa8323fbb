import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ConfigDetail } from '@watchroom/shared/catalog'
import { isUuid } from '@watchroom/shared/kernel'
import type { ReactNode } from 'react'

import { Freshness } from '../../../live/Freshness.tsx'
import { NotFound } from '../../../ui/NotFound.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { Refused } from '../../../ui/Refused.tsx'
import { ConfigContent, type RenderAttach } from '../components/ConfigContent.tsx'
import { ConfigFacts } from '../components/ConfigFacts.tsx'
import { ConfigStatus } from '../components/ConfigStatus.tsx'
import { ConfigTabs } from '../components/ConfigTabs.tsx'
import { type ConfigTab, useConfigTabs } from '../configTabs.ts'
import { configNamesQuery } from '../queries.ts'
import { useConfigItem } from '../useConfigItem.ts'

import styles from '../configItem.module.css'

interface ConfigItemScreenProps {
  tab: ConfigTab
  /** What other areas bring to the page of an item. */
  renderControls: (item: ConfigDetail) => ReactNode
  renderAttach: RenderAttach
  /** What is said above the tabs. */
  renderNotice: (item: ConfigDetail) => ReactNode
  /** The tabs beside Config. */
  renderTab: (tab: Exclude<ConfigTab, 'config'>, item: ConfigDetail) => ReactNode
}

/** `/catalog/{id}` and its tabs: everything about one config item. */
export function ConfigItemScreen(props: ConfigItemScreenProps) {
  const { id = '' } = useParams({ strict: false })
  return <ConfigItem key={id} id={id} {...props} />
}

function NoSuchItem() {
  return (
    <>
      <PageHeader title="Config item" />
      <NotFound noun="config item" />
    </>
  )
}

export function ConfigItem(props: ConfigItemScreenProps & { id: string }) {
  // For anything but an id, the database would return an error that means nothing to people.
  return isUuid(props.id) ? <KnownItem {...props} /> : <NoSuchItem />
}

function KnownItem({ id, ...props }: ConfigItemScreenProps & { id: string }) {
  const { query, live } = useConfigItem(id)
  if (query.data === null) return <NoSuchItem />
  return (
    <>
      <PageHeader
        title={query.data?.name ?? 'Config item'}
        controls={query.data ? props.renderControls(query.data) : null}
      >
        <Freshness view={live} />
      </PageHeader>
      <QueryStates query={query} what="details">
        {(item) => (item === null ? null : <Page item={item} {...props} />)}
      </QueryStates>
    </>
  )
}

function Page({ item, tab, renderAttach, renderNotice, renderTab }: ConfigItemScreenProps & { item: ConfigDetail }) {
  const ids = item.path?.split('.').filter(isUuid) ?? []
  const { data: names = [] } = useQuery(configNamesQuery([...new Set([...ids, item.id])]))
  const isOpen = useConfigTabs().some(({ id }) => id === tab)
  return (
    <div className={styles['page']}>
      <ConfigStatus item={item} parents={names.filter(({ id }) => id !== item.id)} />
      {renderNotice(item)}
      <ConfigTabs item={item} tab={tab} />
      {isOpen ? null : <Refused />}
      {isOpen && tab !== 'config' ? renderTab(tab, item) : null}
      {isOpen && tab === 'config' ? (
        <div className={styles['config']}>
          <ConfigContent item={item} renderAttach={renderAttach} />
          <ConfigFacts item={item} listed={names.find(({ id }) => id === item.id)} />
        </div>
      ) : null}
    </div>
  )
}
