import { ArrowLeft, ArrowRight, Flash, Fullscreen, Help, Minimize, Pause, Play } from '@blueprintjs/icons'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'

import { CommandButton } from '../../../ui/CommandButton.tsx'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { KeyList, type KeyMeaning } from '../../../ui/KeyList.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import type { Failure } from '../board/findTransitions.ts'

import styles from '../wall.module.css'

const SHORTCUTS: readonly KeyMeaning[] = [
  ['f', 'Full screen'],
  ['.', 'Pause and resume the rotation'],
  ['← →', 'Previous page, next page'],
  ['j', 'Jump to the latest failure'],
  ['Esc', 'Back to the rotation'],
  ['/', 'Search'],
  ['?', 'These keys'],
]

interface WallControlsProps {
  isShown: boolean
  isPaused: boolean
  canTurn: boolean
  latest: Failure | null
  onPause: (isPaused: boolean) => void
  onTurn: (by: 1 | -1) => void
  onJump: (checkId: string) => void
  settings: ReactNode
}

/** What a person at the wall can do. Comes with the pointer or a key, and goes again by itself. */
export function WallControls(props: WallControlsProps) {
  const { isShown, isPaused, canTurn, latest, settings } = props
  const [hasHints, setHints] = useState(false)
  const { isFull, toggle } = useFullScreen()
  useHotkey('f', toggle)
  useHotkey('?', () => setHints((shown) => !shown))

  return (
    <div className={styles['controls']} data-controls data-shown={isShown || undefined}>
      {hasHints ? <KeyList keys={SHORTCUTS} className={`${styles['hints']}`} /> : null}
      {settings}
      <div className={styles['buttons']} role="toolbar" aria-label="Wallboard">
        <Control
          icon={isFull ? <Minimize /> : <Fullscreen />}
          text={isFull ? 'Leave full screen' : 'Full screen'}
          shortcut="f"
          onClick={toggle}
        />
        {canTurn ? (
          <>
            <Control
              icon={<ArrowLeft />}
              text="Previous"
              command="Previous page"
              shortcut="ArrowLeft"
              hint="←"
              onClick={() => props.onTurn(-1)}
            />
            <Control
              icon={isPaused ? <Play /> : <Pause />}
              text={isPaused ? 'Resume' : 'Pause'}
              command={isPaused ? 'Resume the rotation' : 'Pause the rotation'}
              shortcut="."
              onClick={() => props.onPause(!isPaused)}
            />
            <Control
              icon={<ArrowRight />}
              text="Next"
              command="Next page"
              shortcut="ArrowRight"
              hint="→"
              onClick={() => props.onTurn(1)}
            />
          </>
        ) : null}
        {latest ? (
          <Control
            icon={<Flash />}
            text={`Latest failure: ${latest.title}`}
            shortcut="j"
            onClick={() => props.onJump(latest.checkId)}
          />
        ) : null}
        <Control
          icon={<Help />}
          text="Keys"
          command={hasHints ? 'Hide the keys of the wall' : 'Show the keys of the wall'}
          shortcut="?"
          isPressed={hasHints}
          onClick={() => setHints((shown) => !shown)}
        />
      </div>
    </div>
  )
}

interface ControlProps {
  icon: ReactElement
  text: string
  /** What the palette calls it, where the text says too little alone. */
  command?: string
  /** As `KeyboardEvent.key` spells it. */
  shortcut: string
  /** The key as people know it. */
  hint?: string
  isPressed?: boolean
  onClick: () => void
}

function Control({ icon, text, command = text, shortcut, hint = shortcut, isPressed, onClick }: ControlProps) {
  return (
    <CommandButton
      variant="minimal"
      icon={icon}
      command={command}
      aria-keyshortcuts={shortcut}
      onClick={onClick}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed, active: isPressed })}
    >
      <span className={styles['controlText']}>{text}</span> <kbd aria-hidden="true">{hint}</kbd>
    </CommandButton>
  )
}

function useFullScreen(): { isFull: boolean; toggle: () => void } {
  const [isFull, setFull] = useState(Boolean(document.fullscreenElement))
  useEffect(() => {
    const handleChange = (): void => setFull(Boolean(document.fullscreenElement))
    document.addEventListener('fullscreenchange', handleChange)
    return () => document.removeEventListener('fullscreenchange', handleChange)
  }, [])
  const toggle = (): void => {
    const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
    change.catch(() => showErrorToast('This browser doesn’t allow full screen here'))
  }
  return { isFull, toggle }
}
