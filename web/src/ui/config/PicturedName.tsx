import { ConfigTypeIcon } from './ConfigTypeIcon.tsx'

import styles from './config.module.css'

interface PicturedNameProps {
  name: string
  /** Used for the icon if `icon` is unknown. */
  type: string
  icon: string | null | undefined
}

/** A name with the icon that someone chose for it. */
export const PicturedName = ({ name, type, icon }: PicturedNameProps) => (
  <span className={styles['config']}>
    <ConfigTypeIcon type={type} icon={icon} />
    <span className={styles['name']} title={name}>
      {name}
    </span>
  </span>
)
