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
  onClear: () => void
  children: ReactNode
}

/** Which lines are marked, and what can be done with them. */
export function MarkedLines({ range: { from, to }, lines, onClear, children }: MarkedLinesProps) {
  const copy = (): void => {
    const text = lines.slice(from - 1, to).map((line) => toPlainText(line.text))
    void copyText(text.join('\n'))
  }
  return (
    <div className={styles['marked']}>
      <output>{from === to ? `Line ${from}` : `Lines ${from}–${to}`}</output>
      <Button size="small" text={from === to ? 'Copy line' : 'Copy lines'} onClick={copy} />
      <Button size="small" text="Copy link" onClick={() => void copyText(window.location.href)} />
      {children}
      <Button size="small" variant="minimal" text="Clear" onClick={onClear} />
    </div>
  )
}
