import { Search } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'

import { useLiveClient } from '../../live/LiveProvider.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { showErrorToast } from '../../ui/toaster.ts'
import { useLatest } from '../../ui/useLatest.ts'

const loadParts = () => import('./paletteParts.ts')

const KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

interface PaletteHostProps {
  /** No button, for screens that fill the window. */
  isKeyAlone?: boolean
}

/** The palette with its key and its button. Loaded at the first interaction with the page, so that it works without a network later. */
export function PaletteHost({ isKeyAlone = false }: PaletteHostProps) {
  const [isOpen, setOpen] = useState(false)
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof loadParts>> | null>(null)
  const early = useRef<readonly Event[]>([])
  const chosen = useRef<(() => void) | null>(null)
  const client = useLiveClient()
  /** Not without a server, before the palette is wanted: browsers log everything they cannot load. */
  const preload = useLatest((): void => {
    if (client?.link().kind === 'open') loadParts().then(setLoaded, () => undefined)
  })
  const open = useLatest(() => {
    setOpen(true)
    // Not with `lazy`: a failure to load must not take the page down.
    loadParts().then(setLoaded, () => {
      setOpen(false)
      showErrorToast('The palette could not be loaded. Please try again.')
    })
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const isKey =
        event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey
      // The YAML editor has its own shortcuts that start with this key.
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
      // Two events are enough for `g` and a letter.
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
