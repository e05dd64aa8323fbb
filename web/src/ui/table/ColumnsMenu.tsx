import { Settings } from '@blueprintjs/icons'
import { Suspense } from 'react'

import { CommandButton } from '../CommandButton.tsx'
import { lazyPart } from '../lazyPart.tsx'
import { Popover } from '../Popover.tsx'
import type { ColumnChoicesProps } from './ColumnChoices.tsx'

const ColumnChoices = lazyPart(async () => (await import('./ColumnChoices.tsx')).ColumnChoices)

/** Which columns a table shows. The one that names the rows is always there and not offered. */
export function ColumnsMenu(props: ColumnChoicesProps) {
  return (
    <Popover
      placement="bottom-end"
      content={
        <Suspense fallback={null}>
          <ColumnChoices {...props} />
        </Suspense>
      }
    >
      <CommandButton
        command="Choose columns"
        text={null}
        variant="minimal"
        icon={<Settings />}
        aria-label="Columns"
        title="Columns"
      />
    </Popover>
  )
}
