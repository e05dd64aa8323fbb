import { useParams } from '@tanstack/react-router'

import { ComponentBase } from '../componentLink.ts'
import { TopologyScreen } from './TopologyScreen.tsx'

import styles from '../topology.module.css'

/** `/view/topology/{id}`: the same cards, and nothing around them. */
export function SharedViewScreen() {
  const { id = '' } = useParams({ strict: false })
  return (
    <ComponentBase value="/view/topology/$id">
      <main className={styles['alone']}>
        <TopologyScreen id={id} />
      </main>
    </ComponentBase>
  )
}
