import { Desktop } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'

/** The way from a page with checks to the wall. */
export function OpenWallboard() {
  return (
    <Link className="bp6-button bp6-minimal" to="/wall">
      <Desktop />
      <span className="bp6-button-text">Open wallboard</span>
    </Link>
  )
}
