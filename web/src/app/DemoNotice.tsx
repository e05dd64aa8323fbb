import { Suspense } from 'react'

import { useBackendFacts } from '../api/backendFacts.ts'
import { lazyPart } from '../ui/lazyPart.tsx'

import styles from './topologyPage.module.css'

const DemoStrip = lazyPart(async () => (await import('./DemoStrip.tsx')).DemoStrip)

/** The banner of a demo. Other installations show nothing and load nothing. */
export function DemoNotice() {
  if (!useBackendFacts()?.demo) return null
  return (
    <Suspense fallback={<div className={styles['demo']} />}>
      <DemoStrip />
    </Suspense>
  )
}
