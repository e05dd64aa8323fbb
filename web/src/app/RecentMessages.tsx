import { Button, Drawer, DrawerSize } from '@blueprintjs/core'
import { Notifications } from '@blueprintjs/icons'
import { useState } from 'react'

import { PHONE } from '../ui/breakpoints.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { type GlyphStatus, StatusGlyph } from '../ui/StatusGlyph.tsx'
import { forgetToldToasts, type ToastKind, useToldToasts } from '../ui/toastStore.ts'
import { useExactTime } from '../ui/useExactTime.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'

import styles from './recentMessages.module.css'

const GLYPHS: Record<ToastKind, { status: GlyphStatus; word: string } | null> = {
  result: null,
  success: { status: 'healthy', word: 'Done' },
  failure: { status: 'unhealthy', word: 'Failed' },
}

/** Past toasts, for people who missed them. Marked while it contains a failure that nobody has looked at. */
export function RecentMessages() {
  const toExact = useExactTime()
  const messages = useToldToasts()
  const isPhone = useMediaQuery(PHONE)
  const [isOpen, setOpen] = useState(false)
  const [seenId, setSeenId] = useState(0)
  const newestId = messages[0]?.id ?? 0
  const unseenFailures = messages.filter(({ kind, id }) => kind === 'failure' && id > seenId).length

  function handleClose(): void {
    setOpen(false)
    setSeenId(newestId)
  }

  return (
    <>
      <span className={styles['recent']} data-unseen={unseenFailures > 0 && !isOpen}>
        <IconButton
          icon={<Notifications />}
          label={unseenFailures === 0 ? 'Recent messages' : `Recent messages, ${unseenFailures} failed`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        />
      </span>
      <Drawer
        isOpen={isOpen}
        onClose={handleClose}
        title="Recent messages"
        position="right"
        size={isPhone ? DrawerSize.LARGE : 'min(440px, 92vw)'}
        className={`${styles['drawer']}`}
      >
        {messages.length === 0 ? (
          <EmptyState title="No messages">Messages stay here until you reload the page.</EmptyState>
        ) : (
          <>
            <ol className={styles['list']} aria-label="Messages, newest first">
              {messages.map(({ id, kind, message, at }) => {
                const glyph = GLYPHS[kind]
                return (
                  <li key={id} data-kind={kind}>
                    {glyph ? <StatusGlyph {...glyph} /> : null}
                    <p>{message}</p>
                    <time dateTime={new Date(at).toISOString()}>{toExact(at)}</time>
                  </li>
                )
              })}
            </ol>
            <footer className={styles['footer']}>
              <Button text="Clear" onClick={forgetToldToasts} />
            </footer>
          </>
        )}
      </Drawer>
    </>
  )
}
