import { Slider, Switch } from '@blueprintjs/core'
import { toCardWidth } from '@watchroom/shared/topology'
import { useAtom } from 'jotai'

import { cardWidthAtom } from '../preferences.ts'

import styles from '../topology.module.css'

interface PreferencesProps {
  isHiddenShown: boolean
  onShowHidden: (isShown: boolean) => void
}

/** How the cards look, for whoever looks. */
export function Preferences({ isHiddenShown, onShowHidden }: PreferencesProps) {
  const [width, setWidth] = useAtom(cardWidthAtom)
  return (
    <section className={styles['preferences']} aria-label="Preferences">
      <Switch
        checked={isHiddenShown}
        label="Show hidden components"
        onChange={(event) => onShowHidden(event.currentTarget.checked)}
      />
      <span id="topology-card-width">Card Width</span>
      <Slider
        min={250}
        max={768}
        stepSize={2}
        labelStepSize={518}
        value={width}
        onChange={(value) => setWidth(toCardWidth(value))}
        handleHtmlProps={{ 'aria-labelledby': 'topology-card-width' }}
      />
    </section>
  )
}
