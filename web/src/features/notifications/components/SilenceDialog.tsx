import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SearchKind } from '@watchroom/shared/resources'
import { FUTURE_PRESETS } from '@watchroom/shared/time'
import { useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { errorText } from '../../../api/request.ts'
import { resourceSearchQuery } from '../../../api/resources.ts'
import { useSession } from '../../../api/session.tsx'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock, useServerNow } from '../../../ui/clock.tsx'
import { countOf } from '../../../ui/countOf.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FieldRow } from '../../../ui/form/FieldRow.tsx'
import { PickField } from '../../../ui/form/PickField.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { type Form, useForm } from '../../../ui/form/useForm.ts'
import { usePicked } from '../../../ui/form/usePicked.ts'
import { showToast } from '../../../ui/toaster.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import {
  addSilence,
  canarySearchQuery,
  changeSilence,
  type Silence,
  silencePreviewQuery,
  silenceTable,
} from '../queries.ts'
import {
  readMoment,
  resourceOf,
  type SilenceFields,
  SilenceFormSchema,
  toAbout,
  toFields,
  toMoments,
  toSent,
} from '../silenceForm.ts'

const SEARCHED = ['checks', 'components', 'configs'] as const satisfies readonly SearchKind[]
const PARAMETERS = { checks: 'check_id', components: 'component_id', configs: 'config_id' } as const
const KIND_WORDS = { checks: 'Check', components: 'Component', configs: 'Catalog' } as const

interface SilenceDialogProps {
  /** Null for one that is added. */
  silence: Silence | null
  /** The resource that the address names. */
  resource: string
  onClose: () => void
}

/** Silences one resource for a while, or changes for how long. */
export function SilenceDialog({ silence: current, resource, onClose }: SilenceDialogProps) {
  // Kept as it was opened, so that someone else's changes are not overwritten unnoticed.
  const [silence] = useState(current)
  const { user } = useSession()
  const queryClient = useQueryClient()
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  const form = useForm({
    schema: SilenceFormSchema,
    initial: toFields(silence, resource, zone),
    // Per version, so that drafts of another version are not restored, and per zone, because the same text means another time there.
    draftKey: `notification_silences:${zone}:${silence ? `${silence.id}:${silence.updated_at}` : `new:${resource}`}:${user.id}`,
    save: async ({ resource: key, ...period }) => {
      const reading = { now: serverNow(), zone }
      return silence
        ? changeSilence(silence, toMoments(period, reading))
        : addSilence(toAbout(key), toSent(period, reading))
    },
    onSaved: () => {
      showToast('Silenced notification')
      void silenceTable.invalidate(queryClient)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={silence ? `Silence of ${resourceOf(silence).name}` : 'Silence notifications'}
      action={silence ? 'Save' : 'Silence'}
      notice={silence ? <PagePeers page="notification_silences" id={silence.id} /> : null}
      onClose={onClose}
    >
      {silence ? null : <ResourcePicker form={form} />}
      <SwitchField label="Recursive" help="Also everything below it." {...form.field('recursive')} />
      <FieldRow>
        <MomentField form={form} name="from" label="From" help="A time, or date math such as now." />
        <MomentField form={form} name="until" label="Until" help="A time, or date math such as now+1h." />
        <SelectField
          label="For"
          placeholder="As entered"
          options={FUTURE_PRESETS.map(({ range, display }) => ({ value: range, label: display }))}
          value={FUTURE_PRESETS.find(({ range }) => range === form.values.until)?.range ?? ''}
          onChange={(range) => (range === '' ? undefined : form.set('until', range))}
        />
      </FieldRow>
      <TextField label="Description" isMultiline {...form.field('description')} />
      <Preview about={toAbout(form.values.resource)} recursive={form.values.recursive} />
    </FormDialog>
  )
}

interface MomentFieldProps {
  form: Form<SilenceFields>
  name: 'from' | 'until'
  label: string
  /** Said until a moment was entered. */
  help: string
}

/** A time in the person's zone, or date math. Shows the resulting moment with its zone. */
function MomentField({ form, name, label, help }: MomentFieldProps) {
  const now = useServerNow()
  const zone = useTimeZone()
  const toExact = useExactTime()
  const moment = readMoment(form.values[name], { now, zone })
  return (
    <TextField
      label={label}
      mark="required"
      isCode
      help={moment === null || form.values[name].trim() === 'now' ? help : `= ${toExact(moment)}`}
      {...form.field(name)}
    />
  )
}

function ResourcePicker({ form }: { form: Form<SilenceFields> }) {
  const [search, setSearch] = useState('')
  const isAsked = search.trim() !== ''
  const query = useQuery({ ...resourceSearchQuery(search, SEARCHED), enabled: isAsked })
  const canaries = useQuery({ ...canarySearchQuery(search), enabled: isAsked })
  const found = [
    ...SEARCHED.flatMap((kind) =>
      (query.data?.[kind] ?? []).map(({ id, name }) => ({
        id: `${PARAMETERS[kind]}:${id}`,
        label: name || id,
        detail: KIND_WORDS[kind],
      })),
    ),
    ...(canaries.data?.rows ?? []).map(({ id, name, namespace }) => ({
      id: `canary_id:${id}`,
      label: namespace ? `${namespace}/${name}` : name,
      detail: 'Canary, with all its checks',
    })),
  ]
  const { resource } = form.values
  const field = form.field('resource')
  const picked = usePicked(field, found)
  const isHere = useMissing('notificationReasons') === null
  const preview = useQuery({ ...silencePreviewQuery(toAbout(resource), false), enabled: isHere && !picked.isListed })
  return (
    <PickField
      label="Resource"
      mark="required"
      {...field}
      {...picked.bind({
        label: preview.data?.about ?? (isHere && preview.isPending ? '…' : 'The resource of the link'),
      })}
      placeholder="Search by name"
      search={search}
      onSearch={setSearch}
      query={{ isFetching: query.isFetching || canaries.isFetching, error: query.error ?? canaries.error }}
      emptyText={
        !isAsked
          ? 'Type the start of the name of a check, canary, component or catalog item'
          : 'Nothing matches this search'
      }
    />
  )
}

/** What it hides now, and what it would have hidden. */
function Preview({ about, recursive }: { about: Readonly<Record<string, string>>; recursive: boolean }) {
  const isHere = useMissing('notificationReasons') === null
  const { data, isError, error } = useQuery({
    ...silencePreviewQuery(about, recursive),
    enabled: isHere && Object.keys(about).length > 0,
  })
  if (isError) return <p role="alert">{errorText(error)}</p>
  if (!data) return null
  const more = data.covered - data.names.length
  return (
    <output className="wr-muted" aria-label="What it covers">
      It covers {countOf(data.covered, 'resource')}
      {data.names.length > 0 ? `: ${data.names.join(', ')}${more > 0 ? ` and ${more} more` : ''}` : ''}. In the last day
      it would have silenced {countOf(data.messages, 'message')}.
    </output>
  )
}
