import { ConfigTypeIcon } from './ConfigTypeIcon.tsx'

import styles from './config.module.css'

interface PicturedNameProps {
  name: string
  /** What it is, for one whose picture nobody knows. */
  type: string
  icon: string | null | undefined
}

/** A name behind the picture that someone chose for it. */
export const PicturedName = ({ name, type, icon }: PicturedNameProps) => (
  <span className={styles['config']}>
    <ConfigTypeIcon type={type} icon={icon} />
    <span className={styles['name']} title={name}>
      {name}
    </span>
  </span>
)
