import { type ComponentProperty, type PropertyLook, toPropertyLinks, toPropertyLook } from '@watchroom/shared/topology'

import { NamedIcon } from '../../../ui/config/ConfigTypeIcon.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

import styles from '../topology.module.css'

const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)/i
/** What a browser may take for a color. */
const COLOR = /^(?:#[\da-f]{3,8}|[a-z]{3,20})$/i
/** What a sync says of a property that it cannot read; why stands beside it. */
const UNKNOWN = 'unknown'

/** The value of a property behind its picture and its color, with its unit, its limit, where it leads, and why there is none. */
export function PropertyValue({ property }: { property: ComponentProperty }) {
  const look = toPropertyLook(property)
  if (look === null) return null
  const { tooltip, icon, color } = property
  const links = toPropertyLinks(property)
  const value = (
    <>
      {color && COLOR.test(color) ? (
        <span className={styles['color']} style={{ backgroundColor: color }} aria-hidden />
      ) : null}
      {icon ? (
        <>
          <NamedIcon name={icon} size={12}>
            {null}
          </NamedIcon>{' '}
        </>
      ) : null}
      <Look look={look} />
    </>
  )
  if (!tooltip && links.length === 0) return value
  const isReason = property.text === UNKNOWN
  return (
    <span title={isReason ? undefined : tooltip || undefined}>
      {value}
      {links.map(({ url, text }) => (
        <span key={url}>
          {' '}
          <SafeLink url={url} text={text} />
        </span>
      ))}
      {isReason && tooltip ? <span className="wr-muted">{`: ${tooltip}`}</span> : null}
    </span>
  )
}

/** What a backend calls an address may be a script. */
function SafeLink({ url, text }: { url: string; text: string }) {
  if (!SAFE_ADDRESS.test(url)) return text
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}

function Look({ look }: { look: PropertyLook }) {
  if (look.kind === 'age') return <TimeAgo at={look.at} />
  if (look.kind === 'link') return <SafeLink url={look.url} text={look.text} />
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
