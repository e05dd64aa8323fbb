import { topologyTopic } from '@watchroom/shared/protocol'
import { CARD_SIZES, toCards } from '@watchroom/shared/topology'
import { useEffect, useMemo } from 'react'

import { Freshness } from '../../../live/Freshness.tsx'
import { isUnproven } from '../../../live/isUnproven.ts'
import { toTopicState } from '../../../live/toTopicState.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ComponentBase } from '../componentLink.ts'
import { CardsSkeleton } from '../components/CardsSkeleton.tsx'
import { ComponentCard, titleOf } from '../components/ComponentCard.tsx'
import { fetchShown } from '../queries.ts'
import { CardSearchSchema } from '../search.ts'

import styles from '../topology.module.css'

/** `/view/topology?id=&size=`: one card, live, to be shown in another page. */
export function CardScreen() {
  const [{ id, size }] = useSearchState(CardSearchSchema)
  return (
    <ComponentBase value="/view/topology/$id">
      <main className={styles['alone']}>
        {id === '' ? <EmptyState title="Component not found" /> : <LiveCard id={id} width={CARD_SIZES[size]} />}
      </main>
    </ComponentBase>
  )
}

function LiveCard({ id, width }: { id: string; width: number }) {
  const options = useMemo(() => ({ fetchRows: fetchShown(id) }), [id])
  const topic = useTopic(topologyTopic, { id }, options)
  const cards = useMemo(() => toCards(topic.rows), [topic.rows])
  const areSeveral = cards.length > 1
  useEffect(() => {
    if (areSeveral) showErrorToast('Response has multiple components for the id.')
  }, [areSeveral])
  const [card] = cards
  return (
    <>
      <title>{`${card === undefined ? 'Component' : titleOf(card)} – Watchroom`}</title>
      <DataStates state={toTopicState(topic, 'component')} skeleton={<CardsSkeleton width={width} count={1} />}>
        {() =>
          card === undefined ? (
            <EmptyState title="Component not found" />
          ) : (
            <div className={styles['single']} style={{ width }} data-old={isUnproven(topic) || undefined}>
              <ComponentCard component={card} parentId="" />
            </div>
          )
        }
      </DataStates>
      <Freshness view={topic} />
    </>
  )
}
