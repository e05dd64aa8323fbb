import { Suspense } from 'react'

import { useBackendFacts } from '../api/backendFacts.ts'
import { lazyPart } from '../ui/lazyPart.tsx'

import styles from './topologyPage.module.css'

const DemoStrip = lazyPart(async () => (await import('./DemoStrip.tsx')).DemoStrip)

/** The strip of a demo. Nothing, and nothing to load, in any other installation. */
export function DemoNotice() {
  if (!useBackendFacts()?.demo) return null
  return (
    <Suspense fallback={<div className={styles['demo']} />}>
      <DemoStrip />
    </Suspense>
  )
}
