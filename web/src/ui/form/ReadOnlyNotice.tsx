import { Callout } from '@blueprintjs/core'
import { Lock } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import type { ReadOnlyReason } from '@watchroom/shared/settings'

/** Above a form that cannot be saved: why, and where it can. */
export function ReadOnlyNotice({ reason: { text, link } }: { reason: ReadOnlyReason }) {
  return (
    <Callout icon={<Lock />} title="Read only">
      {text}{' '}
      {link ? (
        <Link to={link.to} search={{ ...link.search }}>
          {link.text}
        </Link>
      ) : null}
    </Callout>
  )
}
