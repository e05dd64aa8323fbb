import { Link } from '@tanstack/react-router'

import { ConfigType } from './ConfigType.tsx'
import { ConfigTypeIcon } from './ConfigTypeIcon.tsx'

import styles from './config.module.css'

/** The part of a config item that a link shows. */
export interface LinkedConfig {
  readonly id: string
  readonly name?: string | null | undefined
  readonly type?: string | null | undefined
  readonly deleted_at?: string | null | undefined
}

interface ConfigNameProps {
  config: LinkedConfig
  /** The type is shown elsewhere, for example in a column. */
  isTypeHidden?: boolean
}

/** Icon, name and type of a config item; struck through when deleted. For rows that are links themselves. */
export function ConfigName({ config, isTypeHidden = false }: ConfigNameProps) {
  const type = config.type ?? ''
  const name = config.name || type || config.id
  return (
    <span className={styles['config']}>
      <ConfigTypeIcon type={type} />
      {config.deleted_at ? (
        <s className={styles['name']} title={name}>
          {name}
          <span className="wr-visually-hidden"> (deleted)</span>
        </s>
      ) : (
        <span className={styles['name']} title={name}>
          {name}
        </span>
      )}
      {isTypeHidden || type === '' ? null : <ConfigType type={type} />}
    </span>
  )
}

/** A config item, as a link to its page. */
export function ConfigLink(props: ConfigNameProps) {
  return (
    <Link to="/catalog/$id" params={{ id: props.config.id }} className={styles['link']}>
      <ConfigName {...props} />
    </Link>
  )
}
