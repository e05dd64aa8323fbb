import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { LogLines, type RenderAttach } from '../components/LogLines.tsx'
import { LogsToolbar } from '../components/LogsToolbar.tsx'
import { NoComponent } from '../components/NoComponent.tsx'
import { LogTail } from '../feed/LogTail.tsx'
import { useLogFeed } from '../feed/useLogFeed.ts'
import { type ComponentWithLogs, componentsWithLogsQuery } from '../queries.ts'
import { useLogsQuestion } from '../useLogsQuestion.ts'

import styles from '../logs.module.css'

/** `/logs`: the logs of components, searchable and live. */
export function LogsScreen({ renderAttach }: { renderAttach: RenderAttach }) {
  const components = useQuery(componentsWithLogsQuery)
  const question = useLogsQuestion()
  const { search, setSearch, ask } = question
  const { feed, status } = useLogFeed(ask, question.isLive)
  const none = { line: '', lineTo: '', around: '' }
  return (
    <>
      <PageHeader
        title="Logs"
        refresh={{ onRefresh: question.askAgain, isLoading: ask !== null && status === 'loading' }}
      >
        {ask !== null && question.isLive ? (
          <LogTail
            key={JSON.stringify([ask.id, ask.name, ask.query])}
            ask={ask}
            feed={feed}
            isReady={status === 'ready'}
          />
        ) : null}
      </PageHeader>
      <section className={styles['panel']}>
        <LogsToolbar
          components={components.data ?? []}
          componentsState={components.status}
          componentId={search.topologyId}
          onComponent={(topologyId) => setSearch({ ...none, topologyId, logsSelector: '' })}
          selectors={question.selectors}
          selector={question.selector}
          onSelector={(logsSelector) => setSearch({ ...none, logsSelector })}
          query={search.query}
          onQuery={(query) => setSearch({ ...none, query }, { replace: true })}
          range={question.range}
          onRange={question.setRange}
        />
        <div className={styles['lines']}>
          <Contents components={components} isChosen={search.topologyId !== ''} nothing={question.nothing}>
            {(list) =>
              ask === null ? null : (
                <LogLines
                  key={JSON.stringify(ask)}
                  component={list.find(({ id }) => id === ask.id) ?? { id: ask.id, name: 'Unknown component' }}
                  ask={ask}
                  feed={feed}
                  search={search}
                  setSearch={setSearch}
                  onRange={question.setRange}
                  isLive={question.isLive}
                  renderAttach={renderAttach}
                />
              )
            }
          </Contents>
        </div>
      </section>
    </>
  )
}

interface ContentsProps {
  components: UseQueryResult<ComponentWithLogs[]>
  isChosen: boolean
  /** Why the chosen component has no logs. */
  nothing: string | null
  /** Null while nothing is asked yet. */
  children: (components: readonly ComponentWithLogs[]) => ReactNode
}

function Contents({ components, isChosen, nothing, children }: ContentsProps) {
  const { data, error } = components
  if (data === undefined && error !== null) {
    return <QueryFailure what="components" title="Unable to load components!" query={components} />
  }
  const loading = <LoadingSkeleton label="Loading the logs" />
  if (data === undefined) return loading
  if (!isChosen) return <NoComponent components={data} />
  return nothing === null ? (children(data) ?? loading) : <EmptyState title={nothing} />
}
