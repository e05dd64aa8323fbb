import { Button } from '@blueprintjs/core'
import { type AgentSummary, isThisServer } from '@watchroom/shared/agents'
import { useState } from 'react'

import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FormConflict } from '../../../ui/form/FormConflict.tsx'
import { isNewerVersion } from '../../../ui/form/isNewerVersion.ts'
import { toPairs, toRecord } from '../../../ui/form/pairs.ts'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { type AgentFields as Fields, AgentFormSchema, isSameProperties, NEW_AGENT } from '../agentForm.ts'
import { type AgentRow, agentTable } from '../queries.ts'
import { AgentFields } from './AgentFields.tsx'
import { AgentReport } from './AgentReport.tsx'
import { DeleteAgentSteps } from './DeleteAgentSteps.tsx'

import styles from '../agents.module.css'

interface EditAgentDialogProps {
  agent: AgentSummary
  mayWrite: boolean
  onShowInstallation: (fields: Pick<Fields, 'kubernetes' | 'telemetry'>) => void
  onClose: () => void
}

/** Edits or deletes an agent; read-only for people who may not. */
export function EditAgentDialog({ agent, mayWrite, onShowInstallation, onClose }: EditAgentDialogProps) {
  const [isDeleting, setDeleting] = useState(false)
  const form = useForm({
    schema: AgentFormSchema,
    initial: { ...NEW_AGENT, name: agent.name, properties: toPairs(agent.properties) },
    // Asking only for different instructions does not change the agent.
    save: async ({ properties }): Promise<boolean> =>
      (wantsInstallation() && isSameProperties(properties, agent.properties)) || edited.save(properties),
    onSaved: () => {
      const isEdited = !isSameProperties(toRecord(form.values.properties), agent.properties)
      if (isEdited || !wantsInstallation()) showToast('Agent updated')
      if (wantsInstallation()) onShowInstallation(form.values)
      else onClose()
    },
  })
  const wantsInstallation = (): boolean => form.values.kubernetes.enabled || form.values.telemetry.enabled
  const edited = useEditedRow<AgentRow, Record<string, string>>({
    current: agent,
    isNewer: isNewerVersion,
    isDirty: form.isDirty,
    onReset: (row) => form.reset({ ...form.values, properties: toPairs(row.properties) }),
    save: saveProperties,
    goneText: 'Someone deleted this agent while you were editing it.',
  })
  const savedBy = useSavedBy({
    table: 'agents',
    resource: 'agents',
    id: agent.id,
    revision: edited.newer?.updated_at ?? null,
  })
  if (isDeleting) return <DeleteAgentSteps agent={agent} onCancel={() => setDeleting(false)} onDeleted={onClose} />
  // Nor is the product itself installed.
  const isDeletable = mayWrite && !isThisServer(agent)
  return (
    <FormDialog
      form={form}
      title={agent.name}
      action="Save"
      isReadOnly={!mayWrite}
      notice={<AgentReport agent={agent} />}
      actions={
        isDeletable ? (
          <Button intent="danger" variant="outlined" text="Delete" onClick={() => setDeleting(true)} />
        ) : null
      }
      onClose={onClose}
    >
      <AgentFields form={form} isNameReadOnly isReadOnly={!mayWrite} isInstalled={!isThisServer(agent)} />
      {isDeletable ? (
        <p className={`${styles['hint']} wr-muted`}>
          Kubernetes and telemetry change the installation instructions.{' '}
          <Button
            variant="minimal"
            size="small"
            text="Show installation instructions"
            onClick={() => onShowInstallation(form.values)}
          />
        </p>
      ) : null}
      <FormConflict
        savedBy={savedBy}
        what="agent"
        form={form}
        edited={edited}
        mine={toText(toRecord(form.values.properties))}
        toText={(row) => toText(row.properties)}
      />
    </FormDialog>
  )
}

/** The agent's own reports also update the row, but are not someone else's edit. */
async function saveProperties(over: AgentRow, properties: Record<string, string>) {
  const save = (row: AgentRow) => agentTable.update(row, { properties }, row.updated_at ? ['updated_at'] : [])
  const result = await save(over)
  const isOnlyReport = result.kind === 'changed' && isSameProperties(result.current.properties, over.properties)
  return isOnlyReport ? save(result.current) : result
}

const toText = (properties: AgentRow['properties']): string =>
  Object.entries(properties ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')
