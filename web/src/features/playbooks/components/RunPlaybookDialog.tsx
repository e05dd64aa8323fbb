import { SegmentedControl } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Parameter, parameterLabel, type TargetKind } from '@watchroom/shared/playbooks'
import { type ReactNode, useRef } from 'react'
import { z } from 'zod'

import { useSession } from '../../../api/session.tsx'
import { toReadyState } from '../../../ui/dataState.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import { ParameterField } from '../parameters/ParameterField.tsx'
import { findFault, initialValues, toValues } from '../parameters/parameterValues.ts'
import { ResourceField } from '../parameters/ResourceField.tsx'
import { isTargetKind, parametersQuery, playbookTable, runPlaybook } from '../playbookQueries.ts'
import { readPlaybookSpec } from '../playbookSpec.ts'
import type { PlaybookTarget } from '../queries.ts'
import { TARGET_WORDS, titleOf } from '../runParts.ts'

import styles from '../playbooks.module.css'

interface RunPlaybookDialogProps {
  playbookId: string
  /** What it will run on, if already known. */
  target?: PlaybookTarget | null
  /** Values of an earlier run. */
  parameters?: Readonly<Record<string, unknown>>
  onClose: () => void
}

/** One object, so that an answer that is not there yet does not look new with every key. */
const NO_PARAMETERS: readonly Parameter[] = []
const NOTHING: Readonly<Record<string, unknown>> = {}
const NOTHING_TYPED: Record<string, string> = {}

const DELETED = 'This playbook was deleted'
const GONE = 'There’s no such playbook. It may have been deleted permanently.'

/** Values of parameters are those that someone wrote, which stay whatever else is chosen; the rest belongs to the resource. */
const FormSchema = z.object({ kind: z.string(), target: z.string(), typed: z.record(z.string(), z.string()) })

const isSecret = ({ type, properties }: Parameter): boolean => type === 'secret' || properties?.format === 'password'

/** The parameters of a playbook, once it is known what it runs on. */
function useAsked(playbookId: string, kind: TargetKind | null, targetId: string, own: readonly Parameter[]) {
  const chosen: PlaybookTarget | null = kind === null || targetId === '' ? null : { kind, id: targetId }
  // Of a resource alone: their defaults are templates over it.
  const asked = useQuery({
    ...parametersQuery(playbookId, chosen ?? { kind: 'check', id: '' }),
    enabled: chosen !== null,
  })
  if (kind === null) return { parameters: own, chosen, state: toReadyState('the parameters', own) }
  return { parameters: asked.data ?? NO_PARAMETERS, chosen, state: toQueryState(asked, 'the parameters') }
}

/** Runs a playbook: on what, and with which values. Leads to the run. */
export function RunPlaybookDialog(props: RunPlaybookDialogProps) {
  const { playbookId, target = null, parameters: before = NOTHING, onClose } = props
  const navigate = useNavigate()
  const playbook = useQuery(playbookTable.oneQuery(playbookId))
  const spec = readPlaybookSpec(playbook.data?.spec)
  const { user } = useSession()
  /** Names of all that were asked for so far: of another resource nothing is known for a moment, and what was typed stays. */
  const secrets = useRef(new Set<string>())
  const form = useForm({
    schema: FormSchema,
    initial: { kind: target?.kind ?? '', target: target?.id ?? '', typed: NOTHING_TYPED },
    draftKey: `playbooks:run:${playbookId}:${target?.id ?? ''}:${user.id}`,
    toKept: (values) => {
      for (const parameter of parameters) if (isSecret(parameter)) secrets.current.add(parameter.name)
      const kept = Object.entries(values.typed).filter(([name]) => !secrets.current.has(name))
      return { ...values, typed: Object.fromEntries(kept) }
    },
    save: ({ target: id }): Promise<string> => runPlaybook(playbookId, kind === null ? null : { kind, id }, params),
    onSaved: (id) => {
      onClose()
      void navigate({ to: '/playbooks/runs/$id', params: { id } })
    },
  })
  const { kind: chosenKind, target: targetId, typed } = form.values
  const kind = isTargetKind(chosenKind) ? chosenKind : (spec.targets[0] ?? null)
  const { parameters, chosen, state } = useAsked(playbookId, kind, targetId, spec.parameters)
  const params = initialValues(parameters, typed, toValues(before))
  /** What is chosen again in a moment is no work of its own. */
  const choose = (choice: { kind: string; target: string }): void => {
    if (Object.keys(typed).length === 0) return form.reset({ ...form.values, ...choice })
    form.set('kind', choice.kind)
    return form.set('target', choice.target)
  }
  const write = (name: string, value: string): void => {
    const { [name]: _former, ...others } = typed
    const untouched = initialValues(parameters, others, toValues(before))[name]
    form.set('typed', value === untouched ? others : { ...others, [name]: value })
  }

  const faultOf = (parameter: Parameter): string | null => findFault(parameter, params[parameter.name] ?? '')
  const faulty = parameters.find((parameter) => faultOf(parameter) !== null)
  const isDeleted = Boolean(playbook.data?.deleted_at)
  const fault = faulty ? `${parameterLabel(faulty)}: ${faultOf(faulty)}` : null
  const isReady =
    playbook.data && !isDeleted && (kind === null || chosen !== null) && state.data !== undefined && !faulty
  return (
    <FormDialog
      form={form}
      title={playbook.data ? titleOf(playbook.data) : 'Run Playbook'}
      action="Run"
      busyText="Running..."
      isDisabled={!isReady}
      size="medium"
      onClose={onClose}
      actions={isDeleted || fault ? <span className="wr-muted">{isDeleted ? DELETED : fault}</span> : null}
    >
      {playbook.data === null ? <p>{GONE}</p> : null}
      {playbook.data?.description ? <p className="wr-muted">{playbook.data.description}</p> : null}
      {kind === null ? null : (
        <Section title="Resource">
          {spec.targets.length > 1 && target === null ? (
            <SegmentedControl
              aria-label="Kind of resource"
              size="small"
              value={kind}
              onValueChange={(next) => choose({ kind: next, target: '' })}
              options={spec.targets.map((value) => ({ value, label: TARGET_WORDS[value] }))}
            />
          ) : null}
          <ResourceField
            key={kind}
            label={TARGET_WORDS[kind]}
            kind={kind}
            selectors={spec.selectorsOf(kind)}
            {...form.field('target')}
            onChange={(id) => choose({ kind, target: id })}
          />
        </Section>
      )}
      {playbook.data === null ? null : (
        <Section title="Playbook Parameters">
          {kind !== null && chosen === null ? (
            <p className="wr-muted">Please select a resource to see the parameters.</p>
          ) : (
            <DataStates state={playbook.data ? state : { ...toQueryState(playbook, 'the playbook'), data: undefined }}>
              {() => (parameters.length === 0 ? <p className="wr-muted">No parameters for this playbook.</p> : null)}
            </DataStates>
          )}
          {parameters.map((parameter) => {
            const { name } = parameter
            const value = params[name] ?? ''
            return (
              <ParameterField
                key={name}
                parameter={parameter}
                value={value}
                // What is missing is said once, at the button: an empty form is not wrong yet.
                error={value === '' ? undefined : (faultOf(parameter) ?? undefined)}
                onChange={(next) => write(name, next)}
              />
            )
          })}
        </Section>
      )}
    </FormDialog>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['formSection']} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
