import { Callout } from '@blueprintjs/core'

/** Over a page that was in use when its area was switched off. */
export function SwitchedOffNotice() {
  return (
    <Callout intent="warning" compact aria-live="polite">
      This area was just switched off (Settings, Feature Flags). What you see stays until you leave the page.
    </Callout>
  )
}
