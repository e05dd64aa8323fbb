import { Classes } from '@blueprintjs/core'
import { Desktop } from '@blueprintjs/icons'
import { Link, useNavigate } from '@tanstack/react-router'

import { useCommand } from '../../../ui/commands.ts'
import { Tip } from '../../../ui/Tip.tsx'

/** The way from a page with checks to the wall. */
export function OpenWallboard() {
  const navigate = useNavigate()
  useCommand({ title: 'Open wallboard', icon: <Desktop />, onRun: () => void navigate({ to: '/wall' }) })
  return (
    <Tip content="Open wallboard">
      <Link className={`${Classes.BUTTON} ${Classes.MINIMAL}`} to="/wall" aria-label="Open wallboard">
        <span className={Classes.ICON}>
          <Desktop />
        </span>
      </Link>
    </Tip>
  )
}
