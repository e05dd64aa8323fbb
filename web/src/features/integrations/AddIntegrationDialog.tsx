import { DialogBody } from '@blueprintjs/core'
import {
  INTEGRATION_TABLES,
  placeOf,
  SETTINGS_RESOURCES,
  type IntegrationType,
  settingsTexts,
} from '@watchroom/shared/settings'
import { useRef } from 'react'

import { useDisabledAreas } from '../../api/featureFlags.tsx'
import { useSession } from '../../api/session.tsx'
import { ChoiceCard, ChoiceCards } from '../../ui/ChoiceCards.tsx'
import { GuardedDialog } from '../../ui/dialog/GuardedDialog.tsx'
import { SizedDialog } from '../../ui/SizedDialog.tsx'
import { CHART_KEYS, type ChartKey, CHARTS, type GitOpsChart } from './charts.ts'
import { GitOpsForm } from './GitOpsForm.tsx'

import styles from './integrations.module.css'

const CHOICES: readonly { readonly title: string; readonly type: IntegrationType }[] = [
  { title: 'Custom Topology', type: 'topologies' },
  { title: 'Catalog Scraper', type: 'scrapers' },
  { title: 'Log Backends', type: 'logging_backends' },
]

interface AddIntegrationDialogProps {
  /** Null until one is chosen. */
  chart: ChartKey | null
  onChoose: (chart: ChartKey | null) => void
  onClose: () => void
}

/** What can be added: as a chart, for clusters managed with Flux or Helm, or by a form here. */
export function AddIntegrationDialog({ chart, onChoose, onClose }: AddIntegrationDialogProps) {
  if (chart === null) {
    return (
      <SizedDialog size="medium" isOpen onClose={onClose} title="Add Integration">
        <Choices onChoose={onChoose} />
      </SizedDialog>
    )
  }
  return <GitOpsDialog key={chart} chart={CHARTS[chart]} onBack={() => onChoose(null)} onClose={onClose} />
}

const LOST = {
  title: 'Discard what you entered?',
  action: 'Discard',
  text: 'The values you entered are nowhere else until you copy the manifests or commands.',
}

/** Values may contain credentials, which must not be kept in a draft, so closing asks first. */
function GitOpsDialog(props: { chart: GitOpsChart; onBack: () => void; onClose: () => void }) {
  const isLost = useRef(false)
  return (
    <GuardedDialog
      size="medium"
      title={`Add Integration: ${props.chart.title}`}
      hasLoss={() => isLost.current}
      question={LOST}
      isOfAddress
      onClose={props.onClose}
    >
      {({ close }) => (
        <GitOpsForm
          chart={props.chart}
          onEntered={(isNew) => {
            isLost.current = isNew
          }}
          onBack={props.onBack}
          onClose={close}
        />
      )}
    </GuardedDialog>
  )
}

function Choices({ onChoose }: { onChoose: (chart: ChartKey) => void }) {
  const disabled = useDisabledAreas()
  const { can } = useSession()
  // Each kind that is switched on and that the person may write.
  const offered = CHOICES.map(({ title, type }) => ({
    title,
    definition: SETTINGS_RESOURCES[INTEGRATION_TABLES[type]],
  }))
    .filter(({ definition }) => !disabled.has(definition.area) && can('write', definition.resource, definition.object))
    .filter(({ definition }) => definition.table !== 'logging_backends' || !disabled.has('logs'))
  return (
    <DialogBody>
      <h3 className={styles['group']}>Add via GitOps</h3>
      <ChoiceCards width={240}>
        {CHART_KEYS.map((key) => (
          <ChoiceCard key={key} title={CHARTS[key].title} text={CHARTS[key].purpose} onChoose={() => onChoose(key)} />
        ))}
      </ChoiceCards>
      <h3 className={styles['group']}>Add Directly</h3>
      {offered.length === 0 ? <p className="wr-muted">Your role can’t add any of them.</p> : null}
      <ChoiceCards width={240}>
        {offered.map(({ title, definition }) => (
          <ChoiceCard
            key={title}
            title={title}
            text={settingsTexts(definition).purpose}
            to={`${placeOf(definition)}/new`}
          />
        ))}
      </ChoiceCards>
    </DialogBody>
  )
}
