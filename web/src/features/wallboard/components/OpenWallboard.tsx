import { Classes } from '@blueprintjs/core'
import { Desktop } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'

/** The way from a page with checks to the wall. */
export function OpenWallboard() {
  return (
    <Link className={`${Classes.BUTTON} ${Classes.MINIMAL}`} to="/wall">
      <span className={Classes.ICON}>
        <Desktop />
      </span>
      <span className={Classes.BUTTON_TEXT}>Open wallboard</span>
    </Link>
  )
}
