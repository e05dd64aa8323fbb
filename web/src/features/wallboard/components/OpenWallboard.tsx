import { Classes } from '@blueprintjs/core'
import { Desktop } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'

import { Tip } from '../../../ui/Tip.tsx'

/** The way from a page with checks to the wall. */
export function OpenWallboard() {
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
