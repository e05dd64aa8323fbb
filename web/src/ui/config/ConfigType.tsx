import { Fragment } from 'react'

import { typeSegments } from './typeWords.ts'

import styles from './config.module.css'

interface ConfigTypeProps {
  type: string
  /** The class is shown elsewhere, for example in a heading. */
  isClassHidden?: boolean
}

/** A type with spaces instead of `::`, and its last segment emphasized. */
export function ConfigType({ type, isClassHidden = false }: ConfigTypeProps) {
  const all = typeSegments(type)
  const segments = isClassHidden && all.length > 1 ? all.slice(1) : all
  return (
    <span className={styles['type']} title={type}>
      {segments.map((segment, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- segments may repeat, and never move
        <Fragment key={at}>
          {at > 0 ? ' ' : ''}
          <span data-last={at === segments.length - 1 || undefined}>{segment}</span>
        </Fragment>
      ))}
    </span>
  )
}
