import { Button, Callout, DialogBody, DialogFooter, Radio, RadioGroup } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import type { AgentSummary } from '@watchroom/shared/agents'
import { useState } from 'react'

import { errorText } from '../../../api/request.ts'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { deleteAgent } from '../queries.ts'

interface DeleteAgentStepsProps {
  agent: AgentSummary
  onCancel: () => void
  onDeleted: () => void
}

/** Two steps: what is to become of what the agent created, then whether really. */
export function DeleteAgentSteps({ agent, onCancel, onDeleted }: DeleteAgentStepsProps) {
  const [cleanup, setCleanup] = useState<'yes' | 'no' | null>(null)
  const [isConfirming, setConfirming] = useState(false)
  const remove = useMutation({
    mutationFn: () => deleteAgent(agent.id, cleanup === 'yes'),
    onError: (error) => showErrorToast(errorText(error)),
    onSuccess: () => {
      showToast('Agent deleted')
      onDeleted()
    },
  })
  const counts = [
    [agent.checks_count, 'checks'],
    [agent.config_count, 'config items'],
    [agent.config_scrapper_count, 'scrapers'],
  ].flatMap(([count, what]) => (count ? [`${count} ${what}`] : []))

  return (
    <SizedDialog
      size="small"
      isOpen
      onClose={onCancel}
      title={`Delete ${agent.name}`}
      className="agent-dialog"
      canOutsideClickClose={false}
      canEscapeKeyClose={!remove.isPending}
    >
      <DialogBody>
        {isConfirming ? (
          <>
            <Callout intent="danger" compact>
              Delete the agent <strong>{agent.name}</strong>? Its token stops working at once.
            </Callout>
            <p>
              {cleanup === 'yes'
                ? `What it created is deleted as well${counts.length > 0 ? `: ${counts.join(', ')}` : ''}.`
                : 'What it created stays, and its checks are unknown from now on.'}
            </p>
          </>
        ) : (
          <RadioGroup
            label="Do you want to delete the resources created by this agent as well?"
            selectedValue={cleanup ?? ''}
            onChange={(event) => setCleanup(event.currentTarget.value === 'yes' ? 'yes' : 'no')}
          >
            <Radio value="yes" label="Yes" />
            <Radio value="no" label="No" />
          </RadioGroup>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          isConfirming ? (
            <>
              <Button text="Back" disabled={remove.isPending} onClick={() => setConfirming(false)} />
              <Button intent="danger" text="Delete" loading={remove.isPending} onClick={() => remove.mutate()} />
            </>
          ) : (
            <>
              <Button text="Cancel" onClick={onCancel} />
              <Button intent="primary" text="Next" disabled={cleanup === null} onClick={() => setConfirming(true)} />
            </>
          )
        }
      />
    </SizedDialog>
  )
}
