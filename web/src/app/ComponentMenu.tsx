import { Button } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import type { Component } from '@watchroom/shared/topology'
import { Suspense, useState } from 'react'

import { lazyPart } from '../ui/lazyPart.tsx'
import { Popover } from '../ui/Popover.tsx'
import type { ComponentDialog } from './ComponentDialogs.tsx'

// Every card has a menu, and most visits open none.
const ComponentActions = lazyPart(async () => (await import('./ComponentActions.tsx')).ComponentActions)
const ComponentDialogs = lazyPart(async () => (await import('./ComponentDialogs.tsx')).ComponentDialogs)

/** What can be done with a component from its card. */
export function ComponentMenu({ component }: { component: Component }) {
  const [open, setOpen] = useState<ComponentDialog | null>(null)
  return (
    <>
      <Popover
        placement="bottom-end"
        content={
          <Suspense fallback={null}>
            <ComponentActions component={component} onOpen={setOpen} />
          </Suspense>
        }
      >
        <Button variant="minimal" size="small" icon={<More />} aria-label={`Actions for ${component.name}`} />
      </Popover>
      <Suspense fallback={null}>
        {open === null ? null : <ComponentDialogs component={component} open={open} onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}
