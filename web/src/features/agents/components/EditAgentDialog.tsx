import { Button, Callout, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import type { AgentSummary } from '@watchroom/shared/agents'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { parseTimestamp } from '@watchroom/shared/time'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'

import { errorText } from '../../../api/request.ts'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import {
  type AgentFormErrors,
  type AgentFormFields,
  findErrors,
  hasErrors,
  isSameProperties,
  NEW_AGENT,
  toProperties,
  toRows,
} from '../agentForm.ts'
import { type AgentRow, saveAgent } from '../queries.ts'
import { AgentFields } from './AgentFields.tsx'
import { AgentReport } from './AgentReport.tsx'
import { DeleteAgentSteps } from './DeleteAgentSteps.tsx'

const NOTHING_WRONG: AgentFormErrors = { properties: new Map() }

interface EditAgentDialogProps {
  agent: AgentSummary
  mayWrite: boolean
  onShowInstallation: (fields: Pick<AgentFormFields, 'kubernetes' | 'telemetry'>) => void
  onClose: () => void
}

/** Edits or deletes an agent; who may not, reads. What somebody else saved meanwhile is never overwritten unasked. */
export function EditAgentDialog({ agent, mayWrite, onShowInstallation, onClose }: EditAgentDialogProps) {
  const formId = useId()
  /** The row the draft started from. */
  const [base, setBase] = useState<AgentRow>(agent)
  const [fields, setFields] = useState<AgentFormFields>(() => toFields(agent))
  const [theirs, setTheirs] = useState<AgentRow | null>(null)
  const [wasTried, setTried] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const errors = findErrors(fields)
  const isTouched = !isSameProperties(toProperties(fields.properties), base.properties)

  // Nothing was typed: the dialog follows what others save. Read from the row that the live topic brings.
  if (!isTouched && isNewer(agent, base)) {
    setBase(agent)
    setFields((current) => ({ ...current, properties: toRows(agent.properties) }))
  }

  const save = useMutation({
    mutationFn: async ({ from, properties }: { from: AgentRow; properties: Record<string, string> }) => {
      const outcome = await saveAgent(from, properties)
      // A report of the agent about itself is no edit of somebody else.
      const isOnlyReport = outcome.kind === 'changed' && isSameProperties(outcome.current.properties, from.properties)
      return isOnlyReport ? saveAgent(outcome.current, properties) : outcome
    },
    onError: (error) => showErrorToast(errorText(error)),
    onSuccess: (outcome) => {
      switch (outcome.kind) {
        case 'saved':
          showToast('Agent updated')
          return onClose()
        case 'changed':
          return setTheirs(outcome.current)
        case 'gone':
          showErrorToast('This agent was deleted meanwhile')
          return onClose()
      }
    },
  })

  const submit = (from: AgentRow): void => {
    if (!hasErrors(errors) && !save.isPending) save.mutate({ from, properties: toProperties(fields.properties) })
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // At once, so that what is wrong can be gone to.
    flushSync(() => setTried(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    submit(base)
  }

  function handleTakeTheirs(current: AgentRow): void {
    setBase(current)
    setFields((before) => ({ ...before, properties: toRows(current.properties) }))
    setTheirs(null)
  }

  function handleOverwrite(current: AgentRow): void {
    setBase(current)
    setTheirs(null)
    submit(current)
  }

  if (isDeleting) return <DeleteAgentSteps agent={agent} onCancel={() => setDeleting(false)} onDeleted={onClose} />
  // The local agent is the product itself.
  const isDeletable = mayWrite && agent.id !== NIL_UUID
  return (
    <SizedDialog
      isOpen
      size="small"
      onClose={onClose}
      title={agent.name}
      className="agent-dialog"
      canOutsideClickClose={!isTouched}
    >
      <DialogBody>
        <AgentReport agent={agent} />
        <form id={formId} onSubmit={handleSubmit} noValidate>
          <AgentFields
            fields={fields}
            errors={wasTried ? errors : NOTHING_WRONG}
            isNameReadOnly
            isReadOnly={!mayWrite}
            onChange={(patch) => setFields((current) => ({ ...current, ...patch }))}
          />
        </form>
        {mayWrite ? (
          <p className="agent-hint wr-muted">
            Kubernetes and telemetry shape the installation instructions.{' '}
            <Button
              variant="minimal"
              size="small"
              text="Show installation instructions"
              onClick={() => onShowInstallation(fields)}
            />
          </p>
        ) : null}
        {theirs ? (
          <Callout intent="warning" role="alert" title="Somebody saved this agent meanwhile">
            <p>Its properties are now {describe(theirs.properties)}. Yours are still in the fields above.</p>
            <div className="agent-conflict">
              <Button size="small" text="Take theirs" onClick={() => handleTakeTheirs(theirs)} />
              <Button size="small" intent="danger" text="Save mine over them" onClick={() => handleOverwrite(theirs)} />
            </div>
          </Callout>
        ) : null}
      </DialogBody>
      <DialogFooter
        actions={
          mayWrite ? (
            <>
              {isDeletable ? (
                <Button intent="danger" variant="outlined" text="Delete" onClick={() => setDeleting(true)} />
              ) : null}
              <Button type="submit" form={formId} intent="primary" text="Save" loading={save.isPending} />
            </>
          ) : (
            <Button text="Close" onClick={onClose} />
          )
        }
      />
    </SizedDialog>
  )
}

/** The topic may still bring the row that was read before ours was. */
function isNewer(row: AgentRow, than: AgentRow): boolean {
  const [at, before] = [parseTimestamp(row.updated_at) ?? 0, parseTimestamp(than.updated_at) ?? 0]
  return at > before || (at === before && (row.updated_at ?? '') > (than.updated_at ?? ''))
}

const toFields = (agent: AgentSummary): AgentFormFields => ({
  ...NEW_AGENT,
  name: agent.name,
  properties: toRows(agent.properties),
})

function describe(properties: AgentRow['properties']): string {
  const entries = Object.entries(properties ?? {})
  return entries.length === 0 ? 'none' : entries.map(([key, value]) => `${key}=${value}`).join(', ')
}
