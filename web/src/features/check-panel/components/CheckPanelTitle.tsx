import { type CheckSummary, toCheckTitle, toHealth, toHealthWord } from '@watchroom/shared/health'
import { parseTimestamp } from '@watchroom/shared/time'

import { CheckTypeIcon } from '../../../ui/CheckTypeIcon.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { CopyText } from '../../../ui/CopyText.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'

import styles from '../checkPanel.module.css'

interface CheckPanelTitleProps {
  check: CheckSummary
  agentName: string | null
  silencedAt: string | null | undefined
}

/** Icon, name, health, and where the check lives: namespace, endpoint, agent. */
export function CheckPanelTitle({ check, agentName, silencedAt }: CheckPanelTitleProps) {
  const namespace = check.namespace || check.canary_namespace
  return (
    <>
      <div className={styles['name']}>
        <CheckTypeIcon type={check.type} icon={check.icon} size={18} />
        <h2>{toCheckTitle(check)}</h2>
        <Judgement check={check} />
        {silencedAt && !check.deleted_at ? <StatusGlyph status="paused" word="Silenced" /> : null}
      </div>
      <div className={styles['tags']}>
        {namespace ? <Tag name="Namespace" value={namespace} /> : null}
        {agentName ? <Tag name="Agent" value={agentName} /> : null}
        <Tag name="Type" value={check.type} />
        {check.endpoint ? (
          <span className={styles['endpoint']} title={check.endpoint}>
            <CopyText text={check.endpoint} what="endpoint" />
          </span>
        ) : null}
      </div>
    </>
  )
}

function Judgement({ check }: { check: CheckSummary }) {
  const now = useServerNow()
  if (check.deleted_at) return <StatusGlyph status="deleted" />
  const health = toHealth(check)
  return <StatusGlyph status={health} word={toHealthWord(health, parseTimestamp(check.unknown_since), now)} />
}

function Tag({ name, value }: { name: string; value: string }) {
  return (
    <span className={styles['tag']}>
      <span className={styles['tagName']}>{name}</span> {value}
    </span>
  )
}
