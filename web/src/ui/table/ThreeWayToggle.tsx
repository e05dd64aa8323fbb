import { Cross, Minus, Tick } from '@blueprintjs/icons'
import { useId } from 'react'

import type { ThreeWayChoice } from '../../url/threeWay.ts'

import styles from './ThreeWayToggle.module.css'

type State = ThreeWayChoice | 0

const STATES: readonly { state: State; word: string; Icon: typeof Tick }[] = [
  { state: -1, word: 'Exclude', Icon: Cross },
  { state: 0, word: 'No filter', Icon: Minus },
  { state: 1, word: 'Include', Icon: Tick },
]

interface ThreeWayToggleProps {
  /** What is included or excluded. */
  label: string
  state: State
  onChange: (state: State) => void
}

/** Exclude, no filter, include: three radio buttons that look like one switch. */
export function ThreeWayToggle({ label, state, onChange }: ThreeWayToggleProps) {
  const name = useId()
  return (
    <span className={styles['toggle']} role="radiogroup" aria-label={label} data-state={state}>
      {STATES.map(({ state: own, word, Icon }) => (
        <span key={own} className={styles['state']} title={word} data-checked={own === state || undefined}>
          <input type="radio" name={name} aria-label={word} checked={own === state} onChange={() => onChange(own)} />
          <Icon size={12} aria-hidden />
        </span>
      ))}
    </span>
  )
}
