import { Classes, Tooltip } from '@blueprintjs/core'
import { Desktop } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'

/** The way from a page with checks to the wall. */
export function OpenWallboard() {
  return (
    <Tooltip compact content="Open wallboard" hoverOpenDelay={300} placement="bottom">
      <Link className={`${Classes.BUTTON} ${Classes.MINIMAL}`} to="/wall" aria-label="Open wallboard">
        <span className={Classes.ICON}>
          <Desktop />
        </span>
      </Link>
    </Tooltip>
  )
}
