import { useRef } from 'react'

import { copyText } from '../copyToClipboard.ts'

interface ShownOnce {
  /** By a button, or marked and copied by hand. */
  readonly isCopied: () => boolean
  /** For the element that shows it. */
  readonly onCopy: () => void
  readonly copy: () => Promise<void>
}

/** Whether somebody has copied a secret that nobody can ask for again. */
export function useShownOnce(secret: string): ShownOnce {
  const isCopied = useRef(false)
  const onCopy = (): void => {
    isCopied.current = true
  }
  return {
    isCopied: () => isCopied.current,
    onCopy,
    copy: async () => {
      if (await copyText(secret)) onCopy()
    },
  }
}
