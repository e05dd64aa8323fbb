import { Button } from '@blueprintjs/core'

import styles from './logView.module.css'

export interface MoreLinesState {
  /** `more`: there are. `none`: as far as is known, the last one of that side is here. */
  readonly state: 'more' | 'loading' | 'failed' | 'none'
  readonly onLoad: () => void
}

/** What stands before the first line here. They come by themselves where someone scrolls up to it. */
export function OlderLines({ older: { state, onLoad } }: { older: MoreLinesState }) {
  return (
    <div className={styles['older']}>
      {state === 'none' ? (
        <span className="wr-muted">No older lines in this range</span>
      ) : (
        <Load side="older" state={state} onLoad={onLoad} />
      )}
    </div>
  )
}

/** What stands behind the last line here. A log goes on: where there was nothing, there may be something by now. */
export function NewerLines({ newer: { state, onLoad } }: { newer: MoreLinesState }) {
  return (
    <div className={styles['newer']}>
      {state === 'none' ? (
        <>
          <span className="wr-muted">No newer lines yet</span>
          <Button size="small" variant="minimal" text="Look again" onClick={onLoad} />
        </>
      ) : (
        <Load side="newer" state={state} onLoad={onLoad} />
      )}
    </div>
  )
}

function Load({ side, state, onLoad }: MoreLinesState & { side: 'older' | 'newer' }) {
  return (
    <Button
      size="small"
      variant="minimal"
      text={state === 'failed' ? `Could not load ${side} lines. Try again` : `Load ${side} lines`}
      loading={state === 'loading'}
      onClick={onLoad}
    />
  )
}
