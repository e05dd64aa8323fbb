import { Callout } from '@blueprintjs/core'

/** Over a page that was in use when its area was switched off. */
export function SwitchedOffNotice() {
  return (
    <Callout intent="warning" compact aria-live="polite">
      This area was just turned off (Settings, Feature Flags). You can keep reading until you leave the page.
    </Callout>
  )
}
