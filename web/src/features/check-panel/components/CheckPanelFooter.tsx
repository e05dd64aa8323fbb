import { AnchorButton, Classes } from '@blueprintjs/core'
import { Edit, Share } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'
import type { CheckSummary } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { type MouseEvent, type ReactElement, type ReactNode } from 'react'

import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { useSession } from '../../../api/session.tsx'
import { useCommand } from '../../../ui/commands.ts'
import { toEditTarget } from '../editTarget.ts'
import type { CheckDetail } from '../queries.ts'
import { RunCheck } from './RunCheck.tsx'

import styles from '../checkPanel.module.css'

interface DefinitionProps {
  check: CheckSummary
  detail: CheckDetail | null | undefined
}

interface CheckPanelFooterProps extends DefinitionProps {
  /** Further actions. */
  children: ReactNode
}

/** What can be done with the check. A deleted one can only be viewed. */
export function CheckPanelFooter({ check, detail, children }: CheckPanelFooterProps) {
  if (check.deleted_at) return null
  return (
    <footer className={`${Classes.DIALOG_FOOTER} ${styles['footer']}`}>
      <Definition check={check} detail={detail} />
      <RunCheck checkId={check.id} isRunHere={(check.agent_id ?? NIL_UUID) === NIL_UUID} />
      {children}
    </footer>
  )
}

/** A link to the definition, to change it, or to its owner. */
function Definition({ check, detail }: DefinitionProps) {
  const { can } = useSession()
  const areas = useDisabledAreas()
  // Until the owner of the definition is known, the wrong button would flash.
  if (!detail) return null
  const target = toEditTarget({ canaryId: check.canary_id, source: detail.canaries?.source, agent: detail.agents })
  if (target.kind === 'editable') {
    const isOffered = can('write', 'canaries') && !areas.has(target.area)
    return isOffered ? <PageLink href={target.href} text="Edit" icon={<Edit />} hotkey="e" /> : null
  }
  const { link } = target
  return (
    <span className={styles['owned']}>
      {link && !areas.has(link.area) ? <PageLink href={link.href} text={link.text} icon={<Share />} /> : null}
      <span className="wr-muted">{target.reason}</span>
    </span>
  )
}

function PageLink({ href, text, icon, hotkey }: { href: string; text: string; icon: ReactElement; hotkey?: string }) {
  const navigate = useNavigate()
  useCommand({ title: text, icon, onRun: () => void navigate({ to: href }) })
  return (
    <AnchorButton
      icon={icon}
      text={text}
      href={href}
      aria-keyshortcuts={hotkey}
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate({ to: href })
      }}
    />
  )
}
