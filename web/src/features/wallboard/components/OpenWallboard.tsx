import { Desktop } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'

import { useCommand } from '../../../ui/commands.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Tip } from '../../../ui/Tip.tsx'

/** The way from a page with checks to the wall. */
export function OpenWallboard() {
  const navigate = useNavigate()
  useCommand({ title: 'Open wallboard', icon: <Desktop />, onRun: () => void navigate({ to: '/wall' }) })
  return (
    <Tip content="Open wallboard">
      <LinkButton to="/wall" icon={<Desktop />} label="Open wallboard" kind="minimal" />
    </Tip>
  )
}
