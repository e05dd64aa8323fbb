import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { AgentFormSchema, NEW_AGENT } from '../agentForm.ts'
import type { Installation } from '../installation.ts'
import { createAgent } from '../queries.ts'
import { AgentFields } from './AgentFields.tsx'

interface CreateAgentDialogProps {
  onCreated: (installation: Installation) => void
  onClose: () => void
}

/** Creates an agent. The dialog stays open until its token arrives. */
export function CreateAgentDialog({ onCreated, onClose }: CreateAgentDialogProps) {
  const form = useForm({
    schema: AgentFormSchema,
    initial: NEW_AGENT,
    save: createAgent,
    onSaved: (token, { name, kubernetes, telemetry }) => {
      showToast('Agent created')
      onCreated({ agentName: name, token, baseUrl: window.location.origin, kubernetes, telemetry })
    },
  })
  return (
    <FormDialog form={form} title="Create new agent" action="Next" onClose={onClose}>
      <AgentFields form={form} isNameReadOnly={false} />
    </FormDialog>
  )
}
