import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'

import { errorText } from '../../../api/request.ts'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { type AgentFormErrors, type AgentFormFields, findErrors, hasErrors, NEW_AGENT } from '../agentForm.ts'
import type { Installation } from '../installation.ts'
import { createAgent } from '../queries.ts'
import { AgentFields } from './AgentFields.tsx'

const NOTHING_WRONG: AgentFormErrors = { properties: new Map() }

interface CreateAgentDialogProps {
  onCreated: (installation: Installation) => void
  onClose: () => void
}

/** Creates an agent. A failure leaves everything as it was typed. */
export function CreateAgentDialog({ onCreated, onClose }: CreateAgentDialogProps) {
  const formId = useId()
  const [fields, setFields] = useState<AgentFormFields>(NEW_AGENT)
  const [wasTried, setTried] = useState(false)
  const errors = findErrors(fields)
  const create = useMutation({
    mutationFn: createAgent,
    onError: (error) => showErrorToast(errorText(error)),
    onSuccess: (token, created) => {
      showToast('Agent created')
      onCreated({
        agentName: created.name.trim(),
        token,
        baseUrl: window.location.origin,
        kubernetes: created.kubernetes,
        telemetry: created.telemetry,
      })
    },
  })

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // At once, so that what is wrong can be gone to.
    flushSync(() => setTried(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (!hasErrors(errors) && !create.isPending) create.mutate(fields)
  }

  return (
    <SizedDialog
      size="small"
      isOpen
      onClose={onClose}
      title="Create new agent"
      className="agent-dialog"
      // A click beside it must not cost what was typed, nor the token that is on its way.
      canOutsideClickClose={fields === NEW_AGENT}
      canEscapeKeyClose={!create.isPending}
      isCloseButtonShown={!create.isPending}
    >
      <DialogBody>
        <form id={formId} onSubmit={handleSubmit} noValidate>
          <AgentFields
            fields={fields}
            errors={wasTried ? errors : NOTHING_WRONG}
            isNameReadOnly={false}
            onChange={(patch) => setFields((current) => ({ ...current, ...patch }))}
          />
        </form>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} disabled={create.isPending} />
            <Button type="submit" form={formId} intent="primary" text="Next" loading={create.isPending} />
          </>
        }
      />
    </SizedDialog>
  )
}
