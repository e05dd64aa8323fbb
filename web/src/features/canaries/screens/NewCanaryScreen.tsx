import { Button, Callout } from '@blueprintjs/core'
import { ArrowLeft } from '@blueprintjs/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Clock, sleep } from '@watchroom/shared/kernel'
import { useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { tableKeys } from '../../../api/tables.ts'
import { useProgramRules } from '../../../api/useProgramRules.ts'
import { toSpecText } from '../../../editor/readSpecText.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { faultsOf } from '../../../ui/form/fieldFault.ts'
import { toRecord } from '../../../ui/form/pairs.ts'
import { useDraft } from '../../../ui/form/useDraft.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { CanaryEditor } from '../components/CanaryEditor.tsx'
import { FamilyPicker } from '../components/FamilyPicker.tsx'
import { type Definition, type Draft, DraftSchema, HEAD, NEW_DRAFT } from '../draft.ts'
import { canaryTable, readChecksOf } from '../queries.ts'
import { newCanarySearch, type NewType } from '../search.ts'
import type { SpecFinding } from '../spec/findProblems.ts'
import { nameOnlyCheck } from '../spec/nameOnlyCheck.ts'
import { NEW_CHECKS } from '../spec/templates.ts'
import { useTrial } from '../useTrial.ts'

import styles from '../canaries.module.css'

/** Adds a check: first its kind, then its fields; then it opens on the board. */
export function NewCanaryScreen() {
  const { can } = useSession()
  const [{ type }, setSearch] = useSearchState(newCanarySearch)
  const isAllowed = can('write', 'canaries')
  const programs = useProgramRules()
  return (
    <div className={styles['page']}>
      <PageHeader title="Add check" />
      {isAllowed && type === '' ? (
        <FamilyPicker
          programs={programs}
          onChoose={(chosen) => setSearch({ type: chosen })}
          onYaml={() => setSearch({ type: 'custom', view: 'yaml' })}
        />
      ) : null}
      {isAllowed && type !== '' ? (
        <NewCanary key={type} type={type} onBack={() => setSearch({ type: '', view: 'form' })} />
      ) : null}
      {isAllowed ? null : (
        <Callout title="Read only">Your role can view checks but not add them. Ask an editor or administrator.</Callout>
      )}
    </div>
  )
}

interface NewCanaryProps {
  type: Exclude<NewType, ''>
  onBack: () => void
}

function NewCanary({ type, onBack }: NewCanaryProps) {
  const { user } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { clock } = useScreenClock()
  const trial = useTrial()
  /** Why the first run is minutes away; null where it comes at once. */
  const delay = useMissing('promptRuns')
  const [base] = useState<Draft>(() => ({
    ...NEW_DRAFT,
    text: type === 'custom' ? '' : toSpecText({ [type]: [NEW_CHECKS[type]] }),
  }))
  const work = useDraft(`canary:new:${type}:${user.id}`, DraftSchema, base)
  const create = useMutation({
    mutationFn: async ({ draft, spec }: Definition) => {
      const name = draft.name.trim()
      const canary = {
        name,
        namespace: draft.namespace.trim(),
        labels: toRecord(draft.labels),
        spec: nameOnlyCheck(spec, name),
      }
      const { id } = await canaryTable.insert({ ...canary, source: 'UI', created_by: user.id })
      return delay === null ? waitForCheck(id, clock) : null
    },
    onSuccess: async (checkId, { draft }) => {
      work.finish()
      showToast([`${draft.name.trim()} added successfully`, ...(delay === null ? [] : [delay])].join('. '))
      void queryClient.invalidateQueries({ queryKey: tableKeys.all('canaries_with_status') })
      await navigate({ to: '/health', search: checkId === null ? {} : { checkId } })
    },
  })
  const { error, variables: tried } = create
  // Only as long as what was refused stands there.
  const refusals = HEAD_FIELDS.every((field) => tried?.draft[field] === work.draft[field]) ? toRefusals(error) : []
  return (
    <>
      <Button variant="minimal" icon={<ArrowLeft />} text="Other kinds of checks" onClick={onBack} />
      <CanaryEditor
        work={work}
        isNew
        readOnly={null}
        isSaving={create.isPending}
        trial={trial}
        refusals={refusals}
        failure={error && refusals.length === 0 ? errorText(error) : null}
        onSave={create.mutate}
      />
    </>
  )
}

const HEAD_FIELDS = ['name', 'namespace'] as const

/** What the server refused that belongs to fields of the head. */
const toRefusals = (error: unknown): readonly SpecFinding[] =>
  faultsOf(error)
    .filter(({ field }) => HEAD_FIELDS.some((known) => known === field))
    .map(({ field, message }) => ({ path: [HEAD, field], message, level: 'error' }))

/** A saved canary becomes checks within a moment, and people want to land on the panel of the check. */
const CHECK_WAIT = { tries: 15, everyMs: 200 } as const

/** Null when the checks did not appear in time, or the backend creates them later. */
async function waitForCheck(canaryId: string, clock: Clock): Promise<string | null> {
  for (let tries = 0; tries < CHECK_WAIT.tries; tries += 1) {
    try {
      const [check] = await readChecksOf(canaryId)
      if (check) return check.id
    } catch {
      // The canary is saved; this only decides where to land.
      return null
    }
    await sleep(clock, CHECK_WAIT.everyMs)
  }
  return null
}
