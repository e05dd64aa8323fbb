import { useEffect, useEffectEvent } from 'react'

/** Ctrl+S on a page that is a form; not while a dialog asks something. */
export function useSaveKey(save: () => void): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    // Nobody wants this page as a file.
    event.preventDefault()
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') === null) save()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => handleKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
