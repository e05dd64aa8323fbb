import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { capitalize, isUuid } from '@watchroom/shared/kernel'
import {
  placeOf,
  type SettingsResource,
  type SettingsRow,
  type SettingsTable,
  toReadOnlyReason,
  versionColumns,
  versionOf,
} from '@watchroom/shared/settings'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import type { Table } from '../../../api/tables.ts'
import { useProgramRules } from '../../../api/useProgramRules.ts'
import { useTableSave } from '../../../api/useTableSave.ts'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { SettingsHistory } from '../../../collab/SettingsHistory.tsx'
import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { useSpecNotice } from '../../../editor/useSpecNotice.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { FormConflict, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { FormPage } from '../../../ui/form/FormPage.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { FoundRow } from '../../../ui/FoundRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { type RowTab, RowTabs } from '../../../ui/RowTabs.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { DeleteSettings } from '../components/DeleteSettings.tsx'
import { SettingsFormFields } from '../components/SettingsFormFields.tsx'
import type { RenderSpecForm } from '../renderSpecForm.ts'
import type { RenderTrial } from '../renderTrial.ts'
import {
  findTextFault,
  settingsFormSchema,
  type SettingsValues,
  toComparable,
  toFields,
  toRestored,
  toValues,
} from '../settingsForm.ts'
import { useSettingsTables } from '../useSettingsTables.ts'

/** `/settings/{table}/{id}`: one row, to be edited by whoever may and read by everyone else. */
export function SettingsScreen(props: Omit<SettingsByIdProps, 'id'>) {
  const { id = '' } = useParams({ strict: false })
  return <SettingsById key={id} id={id} {...props} />
}

/** What other features bring to settings of their kind. */
export interface SettingsExtras {
  /** Beside the title. */
  renderControls?: (row: SettingsRow) => ReactNode
  /** Fields of the spec, beside its text. */
  renderSpecForm?: RenderSpecForm | undefined
  /** Below the fields. */
  renderTrial?: RenderTrial
}

interface SettingsByIdProps extends SettingsExtras {
  id: string
  definition: SettingsResource
  /** Beside the spec; they are other features'. */
  tabs?: readonly RowTab<SettingsRow>[]
  /** Where saving and deleting lead. Default: the list of the table. */
  list?: string
}

export function SettingsById({
  id,
  definition,
  tabs = NO_TABS,
  renderControls,
  renderSpecForm,
  renderTrial,
  list = placeOf(definition),
}: SettingsByIdProps) {
  const { noun } = definition
  const { one, live } = useSettingsTables(definition)
  const query = useQuery({ ...one.oneQuery(id), enabled: isUuid(id) })
  const historyTab: RowTab<SettingsRow> = {
    id: 'history',
    title: 'History',
    render: (row) => <RowHistory definition={definition} table={one} row={row} />,
  }
  return (
    <>
      <PageHeader
        title={query.data?.name ?? capitalize(noun)}
        controls={query.data ? renderControls?.(query.data) : null}
      >
        {query.data ? <Freshness view={live} /> : null}
        {query.data ? <PagePeers page={definition.table as SettingsTable} id={id} /> : null}
      </PageHeader>
      <FoundRow id={id} query={query} noun={noun}>
        {(row) => (
          <RowTabs row={row} tabs={[...tabs, historyTab]}>
            <EditSettings
              definition={definition}
              table={one}
              current={row}
              list={list}
              renderSpecForm={renderSpecForm}
              renderTrial={renderTrial}
            />
          </RowTabs>
        )}
      </FoundRow>
    </>
  )
}

interface RowHistoryProps {
  definition: SettingsResource
  table: Table<SettingsRow>
  row: SettingsRow
}

function RowHistory({ definition, table, row }: RowHistoryProps) {
  const { noun, resource, object } = definition
  const write = useTableSave(table, versionColumns(definition))
  const mayWrite = useSession().can('write', resource, object)
  return (
    <SettingsHistory
      table={definition.table}
      resource={resource}
      id={row.id}
      name={row.name}
      noun={noun}
      revision={versionOf(definition, row)}
      isReadOnly={!mayWrite || toReadOnlyReason(noun, row, row.agent?.name) !== null}
      onRestore={(former) => write(row, toRestored(definition, former))}
    />
  )
}

const NO_TABS: readonly RowTab<SettingsRow>[] = []

interface EditSettingsProps {
  definition: SettingsResource
  table: Table<SettingsRow>
  /** As the server has it now, as far as is known. */
  current: SettingsRow
  list: string
  renderSpecForm: RenderSpecForm | undefined
  renderTrial: RenderTrial | undefined
}

function EditSettings({ definition, table, current, list, renderSpecForm, renderTrial }: EditSettingsProps) {
  const { noun, resource, object } = definition
  const navigate = useNavigate()
  const { user, can } = useSession()
  const mayWrite = can('write', resource, object)
  const readOnly =
    toReadOnlyReason(noun, current, current.agent?.name) ?? (mayWrite ? null : toRoleReason(definition.nouns))
  const write = useTableSave(table, versionColumns(definition))
  const isDeleted = useRef(false)

  function leaveToList(text: string): void {
    showToast(text)
    void navigate({ to: list })
  }

  const unjudged = useMissing('specJudges')
  const schema = useMemo(() => settingsFormSchema(definition, unjudged === null), [definition, unjudged])
  const form = useForm({
    schema,
    initial: toFields(current),
    draftKey: readOnly === null ? `${table.name}:${current.id}:${user.id}` : undefined,
    save: (output): Promise<boolean> => edited.save(toValues(definition, output)),
    onSaved: () => leaveToList(`${current.name} updated successfully`),
  })
  const edited = useEditedRow<SettingsRow, SettingsValues>({
    current,
    isNewer: (row, than) => versionOf(definition, row) !== versionOf(definition, than),
    isDirty: form.isDirty,
    isBegunOnOther: form.draft.isOutdated,
    onReset: (row) => form.reset(toFields(row)),
    save: write,
    goneText: `Someone deleted this ${noun} while you were editing it.`,
  })
  const specNotice = useSpecNotice({
    text: form.values.spec,
    stored: useMemo(() => toFields(edited.base).spec, [edited.base]),
    programRefusal: useProgramRules().refusal,
    unjudged,
    findFault: useCallback((text: string) => findTextFault(definition, text), [definition]),
  })
  const savedBy = useSavedBy({
    table: definition.table,
    resource,
    id: current.id,
    revision: edited.newer && versionOf(definition, edited.newer),
  })
  return (
    <>
      <FormPage
        form={form}
        label={current.name}
        readOnly={readOnly}
        isOffWhileInvalid={definition.table === 'topologies'}
        hasUnsavedWork={() => !isDeleted.current && form.hasUnsavedWork()}
        notice={outdatedNotice(noun, edited, form, savedBy) ?? specNotice}
        actions={
          <DeleteSettings
            definition={definition}
            table={table}
            row={current}
            onDeleted={() => {
              isDeleted.current = true
              form.draft.forget()
              leaveToList(`${current.name} deleted successfully`)
            }}
          />
        }
      >
        <SettingsFormFields
          definition={definition}
          form={form}
          isNew={false}
          isReadOnly={readOnly !== null}
          source={current.source ?? 'UI'}
          renderSpecForm={renderSpecForm}
        />
        {readOnly === null ? renderTrial?.(form.values.spec, current.id) : null}
      </FormPage>
      <FormConflict
        savedBy={savedBy}
        what={noun}
        form={form}
        edited={edited}
        mine={toComparable(form.values)}
        toText={(row) => toComparable(toFields(row))}
      />
    </>
  )
}
