import { Search } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'

import { useLiveClient } from '../../live/LiveProvider.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { showErrorToast } from '../../ui/toaster.ts'
import { useLatest } from '../../ui/useLatest.ts'

const loadParts = () => import('./paletteParts.ts')

const KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

interface PaletteHostProps {
  /** A screen that fills the window has no place for a button. */
  isKeyAlone?: boolean
}

/** The palette behind its key and its button. Loaded with the first touch of the page, so that it is there without a network too. */
export function PaletteHost({ isKeyAlone = false }: PaletteHostProps) {
  const [isOpen, setOpen] = useState(false)
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof loadParts>> | null>(null)
  const early = useRef<readonly Event[]>([])
  const chosen = useRef<(() => void) | null>(null)
  const client = useLiveClient()
  /** Without a server it is left until it is wanted: a browser tells of everything that it cannot load. */
  const preload = useLatest((): void => {
    if (client?.link().kind === 'open') loadParts().then(setLoaded, () => undefined)
  })
  const open = useLatest(() => {
    setOpen(true)
    // Not by `lazy`: what cannot be loaded must not take the page along.
    loadParts().then(setLoaded, () => {
      setOpen(false)
      showErrorToast('The palette could not be loaded. Please try again.')
    })
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const isKey =
        event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey
      // The editor of specs begins keys of its own with it.
      if (!isKey || (event.target instanceof Element && event.target.closest('.monaco-editor'))) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [open])
  useEffect(() => {
    if (loaded) return undefined
    const touched = new AbortController()
    const handleTouch = (event: Event): void => {
      // A place is a key and a letter.
      early.current = [...early.current.slice(-1), event]
      preload()
    }
    const options = { passive: true, signal: touched.signal }
    document.addEventListener('pointerdown', handleTouch, options)
    document.addEventListener('keydown', handleTouch, options)
    return () => touched.abort()
  }, [preload, loaded])
  useEffect(() => {
    if (isOpen) return
    chosen.current?.()
    chosen.current = null
  }, [isOpen])
  return (
    <>
      {isKeyAlone ? null : (
        <IconButton
          icon={<Search />}
          label={`Search or run a command (${KEYS})`}
          aria-keyshortcuts="Control+K Meta+K"
          aria-haspopup="dialog"
          onPointerEnter={preload}
          onFocus={preload}
          onClick={open}
        />
      )}
      {loaded && !isKeyAlone ? <loaded.PageKeys early={early} /> : null}
      {isOpen && loaded ? (
        <loaded.Palette
          onClose={(act) => {
            chosen.current = act ?? null
            setOpen(false)
          }}
        />
      ) : null}
    </>
  )
}
