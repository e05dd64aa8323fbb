import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import { copyText } from '../copyToClipboard.ts'
import { toPlainText } from './ansi.ts'
import type { LogLine } from './createLogLines.ts'
import type { LineRange } from './lineRange.ts'

import styles from './logView.module.css'

interface MarkedLinesProps {
  range: LineRange
  lines: readonly LogLine[]
  /** Places of the lines stay what they are. */
  isNumbered: boolean
  /** Address that leads back to the lines; else the one of the page does. */
  link: string | undefined
  onClear: () => void
  children: ReactNode
}

/** Which lines are marked, and what can be done with them. */
export function MarkedLines({ range: { from, to }, lines, isNumbered, link, onClear, children }: MarkedLinesProps) {
  const count = to - from + 1
  const numbers = from === to ? `Line ${from}` : `Lines ${from}–${to}`
  const copy = (): void => {
    const text = lines.slice(from - 1, to).map(({ text: line }) => line.split('\n').map(toPlainText).join('\n'))
    void copyText(text.join('\n'))
  }
  return (
    <div className={styles['marked']}>
      <output>{isNumbered ? numbers : `${count.toLocaleString()} ${count === 1 ? 'line' : 'lines'} marked`}</output>
      <Button size="small" text={from === to ? 'Copy line' : 'Copy lines'} onClick={copy} />
      <Button size="small" text="Copy link" onClick={() => void copyText(link ?? window.location.href)} />
      {children}
      <Button size="small" variant="minimal" text="Clear" onClick={onClear} />
    </div>
  )
}
