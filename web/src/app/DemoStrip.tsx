import { Link } from '@tanstack/react-router'

import { useDisabledAreas } from '../api/featureFlags.tsx'

import styles from './topologyPage.module.css'

/** Above the first cards of a demo: what is invented, and what to try first. Other installations don't load it. */
export function DemoStrip() {
  const disabled = useDisabledAreas()
  return (
    <aside className={styles['demo']} aria-label="Demo">
      <p>
        <strong>Demo:</strong> Harbour Parcel is an invented courier. Only the card <em>Watchroom itself</em> is real.
      </p>
      <p className={styles['tries']}>
        <span>Try it:</span>
        {disabled.has('health') ? null : (
          <Link to="/health" search={{ query: 'break me', hidePassing: 'false' }}>
            Break a check
          </Link>
        )}
        {disabled.has('incidents') ? null : <Link to="/incidents">Join the open incident</Link>}
        {disabled.has('playbooks') ? null : <Link to="/playbooks">Run a playbook</Link>}
      </p>
    </aside>
  )
}
