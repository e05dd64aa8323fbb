import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import { copyText } from '../copyToClipboard.ts'
import { countOf } from '../countOf.ts'
import { toPlainText } from './ansi.ts'
import type { LogLine } from './createLogLines.ts'
import type { LineRange } from './lineRange.ts'
import { toLinks } from './links.ts'

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

/** Links of marked lines at most: more are found in the lines themselves. */
const MAX_LINKS = 5
/** Lines in which they are looked for: this is drawn with every line that comes. */
const MAX_LOOKED = 100

/** Which lines are marked, and what can be done with them. */
export function MarkedLines({ range: { from, to }, lines, isNumbered, link, onClear, children }: MarkedLinesProps) {
  const count = to - from + 1
  const numbers = from === to ? `Line ${from}` : `Lines ${from}–${to}`
  const textsUntil = (end: number): string[] =>
    lines.slice(from - 1, end).map(({ text }) => text.split('\n').map(toPlainText).join('\n'))
  // The lines themselves are one stop of the keyboard: here their links can be reached.
  const links = new Set(
    textsUntil(Math.min(to, from + MAX_LOOKED)).flatMap((text) => toLinks(text).map(({ href }) => href)),
  )
  return (
    <div className={styles['marked']}>
      <output aria-label="Marked lines">{isNumbered ? numbers : `${countOf(count, 'line')} marked`}</output>
      <Button
        size="small"
        text={from === to ? 'Copy line' : 'Copy lines'}
        onClick={() => void copyText(textsUntil(to).join('\n'))}
      />
      <Button size="small" text="Copy link" onClick={() => void copyText(link ?? window.location.href)} />
      {[...links].slice(0, MAX_LINKS).map((href) => (
        <a key={href} className={styles['markedLink']} href={href} target="_blank" rel="noreferrer noopener">
          {href}
        </a>
      ))}
      {children}
      <Button size="small" variant="minimal" text="Clear" onClick={onClear} />
    </div>
  )
}
