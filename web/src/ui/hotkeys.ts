import { useEffect, useRef } from 'react'

/** Keys typed into these belong to the text. */
const TEXT_FIELDS = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"]'

/** Whether a bare letter key pressed here is meant for the page and not for a field, an editor or an open dialog. */
function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  const target = event.target
  if (target instanceof Element && target.closest(TEXT_FIELDS)) return false
  return document.querySelector('[role="dialog"], [role="menu"]') === null
}

/** Runs `onPress` when the key is pressed on the page. Letters never fire while somebody types or has a dialog open. */
export function useHotkey(key: string, onPress: () => void): void {
  const latest = useRef(onPress)
  useEffect(() => {
    latest.current = onPress
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== key || !isForPage(event)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [key])
}
