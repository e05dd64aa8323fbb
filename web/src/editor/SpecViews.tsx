import { Button, Callout, SegmentedControl } from '@blueprintjs/core'

import type { EditorProblem } from './contract.ts'

import styles from './specViews.module.css'

export type SpecView = 'form' | 'yaml'

interface SpecViewsProps {
  view: SpecView
  onView: (view: SpecView) => void
}

/** The choice between the fields of a definition and its text. */
export const SpecViews = ({ view, onView }: SpecViewsProps) => (
  <div className={styles['views']}>
    <SegmentedControl
      aria-label="View"
      options={[
        { label: 'Form', value: 'form' },
        { label: 'YAML', value: 'yaml' },
      ]}
      value={view}
      onValueChange={(next) => onView(next === 'yaml' ? 'yaml' : 'form')}
    />
    <span className="wr-muted">Both views edit the same definition.</span>
  </div>
)

/** In place of the fields of a text that is no definition. */
export const UnreadableSpec = ({ problem, onFix }: { problem: EditorProblem | null; onFix: () => void }) => (
  <Callout intent="warning" icon={null} title="The YAML can’t be read">
    <p>{`Line ${problem?.line}: ${problem?.message}`}</p>
    <Button text="Fix it in the YAML view" onClick={onFix} />
  </Callout>
)
