import './collab.css'
import { Button } from '@blueprintjs/core'
import { Cross, Duplicate } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { copyText } from '../ui/copyToClipboard.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { TimeAgo } from '../ui/TimeAgo.tsx'
import type { IncidentRoom } from './contract.ts'

type RejectedTrayProps = Pick<IncidentRoom, 'rejected' | 'dismiss'>

/** The person's own texts that were not accepted. They stay until copied or dismissed; nothing is resent automatically. */
export function RejectedTray({ rejected, dismiss }: RejectedTrayProps): ReactNode {
  if (rejected.length === 0) return null
  return (
    <section className="collab-tray" aria-label="Rejected changes">
      <h2 className="collab-tray-title">Not accepted</h2>
      <ul>
        {rejected.map(({ id, label, text, reason, at }) => (
          <li key={id} className="collab-tray-item">
            <div className="collab-tray-head">
              <strong>{label}</strong>
              <span className="wr-muted">
                {reason} · <TimeAgo at={at} />
              </span>
              <span className="collab-tray-actions">
                {text === '' ? null : (
                  <Button
                    size="small"
                    variant="minimal"
                    icon={<Duplicate size={12} />}
                    text="Copy"
                    aria-label={`Copy ${label}`}
                    onClick={() => void copyText(text)}
                  />
                )}
                <IconButton
                  size="small"
                  icon={<Cross size={12} />}
                  label={`Dismiss ${label}`}
                  onClick={() => dismiss(id)}
                />
              </span>
            </div>
            {text === '' ? null : <p className="collab-tray-text">{text}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
