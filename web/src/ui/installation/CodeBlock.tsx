import { Button } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'

import { copyText } from '../copyToClipboard.ts'

import styles from './installation.module.css'

interface CodeBlockProps {
  text: string
  /** What it is, in words: `Helm commands`. */
  what: string
  /** By the button or by hand: without https the button cannot. */
  onCopied?: () => void
}

/** A text to be copied into a terminal or a repository. */
export function CodeBlock({ text, what, onCopied }: CodeBlockProps) {
  async function handleCopy(): Promise<void> {
    if (await copyText(text)) onCopied?.()
  }
  return (
    <div className={styles['code']}>
      <Button
        className={`${styles['copy']}`}
        icon={<Duplicate />}
        text="Copy"
        aria-label={`Copy ${what}`}
        size="small"
        onClick={() => void handleCopy()}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={what} onCopy={() => onCopied?.()}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
