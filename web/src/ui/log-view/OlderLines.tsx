import { Button } from '@blueprintjs/core'

import styles from './logView.module.css'

export interface OlderLinesState {
  /** `more`: there are. `none`: the first line of the range is here. */
  readonly state: 'more' | 'loading' | 'failed' | 'none'
  readonly onLoad: () => void
}

/** What stands before the first line here. They come by themselves where someone scrolls up to it. */
export function OlderLines({ older: { state, onLoad } }: { older: OlderLinesState }) {
  return (
    <div className={styles['older']}>
      {state === 'none' ? (
        <span className="wr-muted">No older lines in this range</span>
      ) : (
        <Button
          size="small"
          variant="minimal"
          text={state === 'failed' ? 'Could not load older lines. Try again' : 'Load older lines'}
          loading={state === 'loading'}
          onClick={onLoad}
        />
      )}
    </div>
  )
}
