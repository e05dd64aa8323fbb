import { Button } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import { Suspense } from 'react'

import { lazyPart } from '../lazyPart.tsx'
import { Popover } from '../Popover.tsx'
import type { RowAction } from './RowActions.tsx'

const RowActions = lazyPart(async () => (await import('./RowActions.tsx')).RowActions)

interface RowMenuProps {
  /** Names the row: `Actions for edge-north`. */
  name: string
  actions: readonly RowAction[]
}

/** What can be done with a row, behind one button at its end. */
export function RowMenu({ name, actions }: RowMenuProps) {
  const label = `Actions for ${name}`
  return (
    <Popover
      placement="bottom-end"
      content={
        <Suspense fallback={null}>
          <RowActions label={label} actions={actions} />
        </Suspense>
      }
    >
      <Button variant="minimal" size="small" icon={<More />} aria-label={label} />
    </Popover>
  )
}
