import { Link } from '@tanstack/react-router'
import type { ConfigDetail } from '@watchroom/shared/catalog'

import { Count } from '../../../ui/config/Count.tsx'
import { LinkTabs } from '../../../ui/LinkTabs.tsx'
import { type ConfigTab, useConfigTabs } from '../configTabs.ts'

import styles from '../configItem.module.css'

/** The pages of an item, each with a count of what is on it. */
export function ConfigTabs({ item, tab }: { item: Pick<ConfigDetail, 'id' | 'summary'>; tab: ConfigTab }) {
  return (
    <LinkTabs label="Pages of this item">
      {useConfigTabs().map(({ id, title, path, count, counted }) => {
        const number = count === undefined ? undefined : item.summary?.[count]
        return (
          <Link
            key={id}
            to={path}
            params={{ id: item.id }}
            activeOptions={{ exact: true }}
            aria-current={id === tab ? 'page' : undefined}
          >
            {title}
            {number === undefined ? null : (
              <span className={styles['badge']}>
                <Count count={number} words={counted} />
              </span>
            )}
          </Link>
        )
      })}
    </LinkTabs>
  )
}
