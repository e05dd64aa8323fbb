import { Callout } from '@blueprintjs/core'
import type { AgentSummary } from '@watchroom/shared/agents'
import { useState } from 'react'
import { z } from 'zod'

import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { RadioField } from '../../../ui/form/RadioField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { agentTable } from '../queries.ts'

interface DeleteAgentStepsProps {
  agent: AgentSummary
  onCancel: () => void
  onDeleted: () => void
}

const CHOICES = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** Two steps: what should happen to what the agent created, then the confirmation. */
export function DeleteAgentSteps({ agent, onCancel, onDeleted }: DeleteAgentStepsProps) {
  const [isConfirming, setConfirming] = useState(false)
  const form = useForm({
    schema: z.object({ cleanup: z.string() }),
    initial: { cleanup: '' },
    save: async ({ cleanup }) => {
      // With `cleanup`, what the agent created is deleted as well. If someone else deleted it first, the result is the same.
      await agentTable.softDelete(agent.id, cleanup === 'yes' ? { cleanup: true } : {})
    },
    onSaved: () => {
      showToast('Agent deleted')
      onDeleted()
    },
  })
  const { cleanup } = form.values
  const counts = [
    [agent.checks_count, 'checks'],
    [agent.config_count, 'config items'],
    [agent.config_scrapper_count, 'scrapers'],
  ].flatMap(([count, what]) => (count ? [`${count} ${what}`] : []))
  return (
    <FormDialog
      form={form}
      title={`Delete ${agent.name}`}
      action={isConfirming ? 'Delete' : 'Next'}
      intent={isConfirming ? 'danger' : 'primary'}
      isDisabled={cleanup === ''}
      isQuick
      onNext={isConfirming ? undefined : () => setConfirming(true)}
      onBack={isConfirming ? () => setConfirming(false) : undefined}
      onClose={onCancel}
    >
      {isConfirming ? (
        <>
          <Callout intent="danger" compact>
            Delete the agent <strong>{agent.name}</strong>? Its token stops working at once.
          </Callout>
          <p>
            {cleanup === 'yes'
              ? `Everything it created is deleted too${counts.length > 0 ? `: ${counts.join(', ')}` : ''}.`
              : 'Everything it created stays, and its checks become unknown.'}
          </p>
        </>
      ) : (
        <RadioField
          label="Do you want to delete the resources created by this agent as well?"
          options={CHOICES}
          {...form.field('cleanup')}
        />
      )}
    </FormDialog>
  )
}
