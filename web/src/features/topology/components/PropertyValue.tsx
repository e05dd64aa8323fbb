import { type ComponentProperty, toPropertyLook } from '@watchroom/shared/topology'

import { TimeAgo } from '../../../ui/TimeAgo.tsx'

import styles from '../topology.module.css'

const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)/i

/** The value of a property with its unit, its limit or where it leads. */
export function PropertyValue({ property }: { property: ComponentProperty }) {
  const look = toPropertyLook(property)
  if (look === null) return null
  if (look.kind === 'age') return <TimeAgo at={look.at} />
  if (look.kind === 'link') {
    // What a backend calls an address may be a script.
    if (!SAFE_ADDRESS.test(look.url)) return look.text
    return (
      <a href={look.url} target="_blank" rel="noreferrer">
        {look.text}
      </a>
    )
  }
  if (look.used === undefined) return look.text
  const percent = Math.round(look.used * 100)
  return (
    <span className={styles['limited']} data-full={look.isNearlyFull || undefined}>
      {look.text}
      <meter
        min={0}
        max={100}
        low={69.9}
        high={70}
        optimum={0}
        value={Math.min(100, percent)}
        aria-label={`${percent}% of the limit`}
      />
    </span>
  )
}
