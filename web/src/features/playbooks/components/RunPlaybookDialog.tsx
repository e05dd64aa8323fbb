import { SegmentedControl } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Parameter, parameterLabel, type TargetKind } from '@watchroom/shared/playbooks'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { z } from 'zod'

import { toReadyState } from '../../../ui/dataState.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import { ParameterField } from '../parameters/ParameterField.tsx'
import { findFault, initialValues, toValues } from '../parameters/parameterValues.ts'
import { ResourceField } from '../parameters/ResourceField.tsx'
import { parametersQuery, playbookTable, runPlaybook } from '../playbookQueries.ts'
import { readPlaybookSpec } from '../playbookSpec.ts'
import type { PlaybookTarget } from '../queries.ts'
import { TARGET_WORDS, titleOf } from '../runParts.ts'

import styles from '../playbooks.module.css'

interface RunPlaybookDialogProps {
  playbookId: string
  /** What it is going to run on, where that is known. */
  target?: PlaybookTarget | null
  /** Values of a run before. */
  parameters?: Readonly<Record<string, unknown>>
  onClose: () => void
}

/** One object, so that an answer that is not there yet does not look new with every key. */
const NO_PARAMETERS: readonly Parameter[] = []
const NOTHING: Readonly<Record<string, unknown>> = {}

const FormSchema = z.object({ target: z.string(), params: z.record(z.string(), z.string()) })

/** What a playbook asks for, once it is known what it runs on. */
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
  const [chosenKind, setKind] = useState<TargetKind | null>(target?.kind ?? null)
  const kind = chosenKind ?? spec.targets[0] ?? null
  const form = useForm({
    schema: FormSchema,
    initial: { target: target?.id ?? '', params: toValues(before) },
    save: ({ target: id, params }): Promise<string> => {
      const wanted = parameters.map(({ name }): [string, string] => [name, params[name] ?? ''])
      return runPlaybook(playbookId, kind === null ? null : { kind, id }, Object.fromEntries(wanted))
    },
    onSaved: (id) => {
      onClose()
      void navigate({ to: '/playbooks/runs/$id', params: { id } })
    },
  })
  const { target: targetId, params } = form.values
  const { parameters, chosen, state } = useAsked(playbookId, kind, targetId, spec.parameters)
  const names = JSON.stringify(parameters)
  const begin = useEffectEvent(() => {
    const typed = form.isDirty ? [params] : []
    form.reset({ target: targetId, params: initialValues(parameters, ...typed, toValues(before)) })
  })
  const begun = useRef('')
  useEffect(() => {
    if (begun.current === names) return
    begun.current = names
    begin()
  }, [names])

  const faultOf = (parameter: Parameter): string | null => findFault(parameter, params[parameter.name] ?? '')
  const faulty = parameters.find((parameter) => faultOf(parameter) !== null)
  const isReady = playbook.data && (kind === null || chosen !== null) && state.data !== undefined && !faulty
  return (
    <FormDialog
      form={form}
      title={playbook.data ? titleOf(playbook.data) : 'Run Playbook'}
      action={form.isSaving ? 'Running...' : 'Run'}
      isDisabled={!isReady || form.isSaving}
      size="medium"
      onClose={onClose}
      actions={faulty ? <span className="wr-muted">{`${parameterLabel(faulty)}: ${faultOf(faulty)}`}</span> : null}
    >
      {playbook.data?.description ? <p className="wr-muted">{playbook.data.description}</p> : null}
      {kind === null ? null : (
        <Section title="Resource">
          {spec.targets.length > 1 && target === null ? (
            <SegmentedControl
              aria-label="Kind of resource"
              size="small"
              value={kind}
              onValueChange={(next) => {
                setKind(spec.targets.find((known) => known === next) ?? kind)
                form.set('target', '')
              }}
              options={spec.targets.map((value) => ({ value, label: TARGET_WORDS[value] }))}
            />
          ) : null}
          <ResourceField
            key={kind}
            label={TARGET_WORDS[kind]}
            kind={kind}
            selectors={spec.selectorsOf(kind)}
            {...form.field('target')}
          />
        </Section>
      )}
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
              onChange={(next) => form.set('params', { ...params, [name]: next })}
            />
          )
        })}
      </Section>
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
