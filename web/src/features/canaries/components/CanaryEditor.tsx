import { Button, Callout } from '@blueprintjs/core'
import { Play } from '@blueprintjs/icons'
import { hasPrograms } from '@watchroom/shared/health'
import type { ReadOnlyReason } from '@watchroom/shared/settings'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useProgramRules } from '../../../api/useProgramRules.ts'
import type { EditorPlace } from '../../../editor/contract.ts'
import { readSpecText, toPlace } from '../../../editor/readSpecText.ts'
import { type SpecView, SpecViews, UnreadableSpec } from '../../../editor/SpecViews.tsx'
import { YamlEditor } from '../../../editor/YamlEditor.tsx'
import { LeaveGuard } from '../../../ui/dialog/LeaveGuard.tsx'
import { focusFirstFault } from '../../../ui/form/focusFirstFault.ts'
import { FormNotice, type FormNote } from '../../../ui/form/FormNotice.tsx'
import { ReadOnlyNotice } from '../../../ui/form/ReadOnlyNotice.tsx'
import { RestoredNotice } from '../../../ui/form/RestoredNotice.tsx'
import { REQUIRED_TEXT } from '../../../ui/form/rules.ts'
import { SaveBar } from '../../../ui/form/SaveBar.tsx'
import { useAttempt } from '../../../ui/form/useAttempt.ts'
import type { DraftState } from '../../../ui/form/useDraft.ts'
import { useSaveKey } from '../../../ui/form/useSaveKey.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { type Definition, type Draft, findDraftProblems, HEAD } from '../draft.ts'
import { canarySearch } from '../search.ts'
import { CANARY_JSON_SCHEMA } from '../spec/checkFields.ts'
import type { SpecFinding } from '../spec/findProblems.ts'
import { nameOnlyCheck } from '../spec/nameOnlyCheck.ts'
import type { Trial } from '../useTrial.ts'
import { CanaryForm, CanaryHead } from './CanaryForm.tsx'
import { ProblemList } from './ProblemList.tsx'
import { TrialPanel } from './TrialPanel.tsx'

import styles from '../canaries.module.css'

export interface CanaryEditorProps {
  work: DraftState<Draft>
  isNew: boolean
  /** Null: everything can be changed. */
  readOnly: ReadOnlyReason | null
  isSaving: boolean
  trial: Trial
  /** What the server refused, with its place. */
  refusals: readonly SpecFinding[]
  /** Why the server did not save. Shown beside the button, which may be far below the notices. */
  failure: string | null
  /** What to know before saving. */
  notice?: FormNote | null
  /** Beside the save button. */
  actions?: ReactNode
  /** Only a draft without errors arrives here. */
  onSave: (definition: Definition) => void
}

/** One definition in two views, with everything that is done to it. */
export function CanaryEditor(props: CanaryEditorProps) {
  const { work, isNew, readOnly, trial } = props
  const { draft, set: onChange } = work
  const [{ view }, setSearch] = useSearchState(canarySearch)
  const onView = (next: SpecView): void => setSearch({ view: next }, { replace: true })
  const root = useRef<HTMLFormElement>(null)
  const refusalId = useId()
  const { wasTried, attempt } = useAttempt()
  const [reveal, setReveal] = useState<EditorPlace>()
  const read = useMemo(() => readSpecText(draft.text), [draft.text])
  const unjudged = useMissing('specJudges')
  const isJudged = unjudged === null
  const problems = useMemo(() => findDraftProblems(draft, read, isJudged), [draft, read, isJudged])
  const all = [...problems, ...props.refusals]
  // Errors of fields that nobody has filled in yet are hidden until saving was tried. Doubts are always shown.
  const shown = wasTried
    ? all
    : all.filter(({ message, path, level }) => level === 'doubt' || (message !== REQUIRED_TEXT && path.length > 0))
  const errors = problems.filter(({ level }) => level === 'error')
  const errorTexts = new Map(shown.map(({ path, message }) => [path.join('.'), message]))
  const isReadOnly = readOnly !== null
  const programs = useProgramRules()
  // The server checks only the changes of an existing definition; in a new one, everything counts as changed.
  const refusal = programs.refusal !== null && hasPrograms(read.spec) ? programs.refusal : null
  const saveRefusal = isNew ? refusal : null

  function goTo(finding: SpecFinding): void {
    if (view === 'yaml' && finding.path[0] !== HEAD) {
      setReveal(toPlace(finding.path.length === 0 && read.problem ? read.problem : read.locate(finding.path)))
      return
    }
    focusFirstFault(root.current, finding.message)
  }

  /** Shows what is wrong and goes there; true when nothing is. */
  function check(): boolean {
    attempt()
    const first = errors[0]
    if (first === undefined) return true
    goTo(first)
    return false
  }

  function handleSave(): void {
    if (!isReadOnly && saveRefusal === null && !props.isSaving && check() && read.spec)
      props.onSave({ draft, spec: read.spec })
  }

  useSaveKey(handleSave)

  function handleTry(): void {
    if (refusal !== null) return
    if (errors.some(({ path }) => path[0] !== HEAD)) check()
    else if (read.spec) {
      const spec = isNew ? nameOnlyCheck(read.spec, draft.name.trim()) : read.spec
      trial.run({ text: draft.text, spec })
    }
  }

  const failure =
    props.failure === null ? null : (
      <Callout intent="danger" icon={null} role="alert" title="Not saved">
        {props.failure}
      </Callout>
    )
  return (
    <form
      ref={root}
      className={styles['editor']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        handleSave()
      }}
    >
      <LeaveGuard hasUnsavedWork={() => !isReadOnly && work.hasUnsavedWork()} onLeave={work.forget} />
      {readOnly ? <ReadOnlyNotice reason={readOnly} /> : null}
      {work.wasRestored && !isReadOnly ? <RestoredNotice onDiscard={work.discard} /> : null}
      {props.notice && !isReadOnly ? <FormNotice notice={props.notice} /> : null}
      <CanaryHead draft={draft} errors={errorTexts} isNameLocked={!isNew} isReadOnly={isReadOnly} onChange={onChange} />
      <SpecViews view={view} onView={onView} />
      {view === 'yaml' ? (
        <YamlEditor
          aria-label="Spec as YAML"
          value={draft.text}
          schema={CANARY_JSON_SCHEMA}
          size="large"
          reveal={reveal}
          {...(isReadOnly ? {} : { onChange: (text: string) => onChange({ ...draft, text }) })}
        />
      ) : read.spec ? (
        <CanaryForm
          draft={draft}
          spec={read.spec}
          findings={shown}
          isReadOnly={isReadOnly}
          programs={programs}
          onChange={onChange}
        />
      ) : (
        <UnreadableSpec
          problem={read.problem}
          onFix={() => {
            onView('yaml')
            if (read.problem) setReveal(toPlace(read.problem))
          }}
        />
      )}
      {isReadOnly ? (
        failure
      ) : (
        <SaveBar
          isSaving={props.isSaving}
          state={work.isDirty ? 'Not saved yet' : ''}
          reasonId={saveRefusal === null ? undefined : refusalId}
          actions={props.actions}
          besides={
            trial.refusal === null ? (
              <Button
                icon={<Play />}
                text="Try it"
                aria-disabled={trial.isRunning || refusal !== null}
                aria-describedby={refusal === null ? undefined : refusalId}
                onClick={handleTry}
              />
            ) : (
              <span className="wr-muted">{trial.refusal}</span>
            )
          }
        >
          <TrialPanel trial={trial} text={draft.text} />
          {wasTried || view === 'yaml' || !isJudged ? (
            <ProblemList findings={shown} doubt={unjudged} isBesideFields={view === 'form'} onGo={goTo} />
          ) : null}
          {refusal === null ? null : (
            <p id={refusalId} className="wr-muted">
              {refusal}
            </p>
          )}
          {failure}
        </SaveBar>
      )}
    </form>
  )
}
