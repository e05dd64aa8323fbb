import { Button, Callout } from '@blueprintjs/core'
import { Play } from '@blueprintjs/icons'
import { hasPrograms } from '@watchroom/shared/health'
import type { ReadOnlyReason } from '@watchroom/shared/settings'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useProgramRules } from '../../../api/useProgramRules.ts'
import type { EditorPlace } from '../../../editor/contract.ts'
import { readSpecText, toPlace } from '../../../editor/readSpecText.ts'
import { SpecViews, UnreadableSpec } from '../../../editor/SpecViews.tsx'
import { YamlEditor } from '../../../editor/YamlEditor.tsx'
import { focusFirstFault } from '../../../ui/form/focusFirstFault.ts'
import { ReadOnlyNotice } from '../../../ui/form/ReadOnlyNotice.tsx'
import { REQUIRED_TEXT } from '../../../ui/form/rules.ts'
import { SaveButton } from '../../../ui/form/SaveButton.tsx'
import { useAttempt } from '../../../ui/form/useAttempt.ts'
import { useSaveKey } from '../../../ui/form/useSaveKey.ts'
import { type Draft, findDraftProblems, HEAD } from '../draft.ts'
import type { View } from '../search.ts'
import { CANARY_JSON_SCHEMA } from '../spec/checkFields.ts'
import type { SpecFinding } from '../spec/findProblems.ts'
import { nameOnlyCheck } from '../spec/nameOnlyCheck.ts'
import type { Trial } from '../useTrial.ts'
import { CanaryForm, CanaryHead } from './CanaryForm.tsx'
import { ProblemList } from './ProblemList.tsx'
import { TrialPanel } from './TrialPanel.tsx'

import styles from '../canaries.module.css'

export interface CanaryEditorProps {
  draft: Draft
  view: View
  onView: (view: View) => void
  isNew: boolean
  /** Null: everything can be changed. */
  readOnly: ReadOnlyReason | null
  isDirty: boolean
  isSaving: boolean
  trial: Trial
  /** What the server refused, with its place. */
  refusals: readonly SpecFinding[]
  /** Why the server did not save. Shown beside the button, which may be far below the notices. */
  failure: string | null
  /** Shown at the top: a restored draft, a newer version. */
  notices?: ReactNode
  /** Beside the save button. */
  actions?: ReactNode
  onChange: (draft: Draft) => void
  /** Only a draft without errors arrives here. */
  onSave: (draft: Draft, spec: Readonly<Record<string, unknown>>) => void
}

/** One definition in two views, with everything that is done to it. */
export function CanaryEditor(props: CanaryEditorProps) {
  const { draft, view, isNew, readOnly, trial, onChange } = props
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
    if (!isReadOnly && saveRefusal === null && !props.isSaving && check() && read.spec) props.onSave(draft, read.spec)
  }

  useSaveKey(handleSave)

  function handleTry(): void {
    if (refusal !== null) return
    if (errors.some(({ path }) => path[0] !== HEAD)) check()
    else if (read.spec) trial.run(draft.text, isNew ? nameOnlyCheck(read.spec, draft.name.trim()) : read.spec)
  }

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
      {readOnly ? <ReadOnlyNotice reason={readOnly} /> : null}
      {props.notices}
      <CanaryHead draft={draft} errors={errorTexts} isNameLocked={!isNew} isReadOnly={isReadOnly} onChange={onChange} />
      <SpecViews view={view} onView={props.onView} />
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
            props.onView('yaml')
            if (read.problem) setReveal(toPlace(read.problem))
          }}
        />
      )}
      {isReadOnly ? null : (
        <footer className={styles['bar']}>
          <TrialPanel trial={trial} isOutdated={trial.state.kind === 'done' && trial.state.text !== draft.text} />
          {wasTried || view === 'yaml' || !isJudged ? (
            <ProblemList findings={shown} doubt={unjudged} isBesideFields={view === 'form'} onGo={goTo} />
          ) : null}
          {refusal === null ? null : (
            <p id={refusalId} className="wr-muted">
              {refusal}
            </p>
          )}
          {props.failure === null ? null : (
            <Callout intent="danger" icon={null} role="alert" title="Not saved">
              {props.failure}
            </Callout>
          )}
          <div className={styles['barActions']}>
            {props.actions}
            <span className={`${styles['barState']} wr-muted`} aria-live="polite">
              {props.isDirty ? 'Not saved yet' : ''}
            </span>
            {trial.refusal === null ? (
              <Button
                icon={<Play />}
                text="Try it"
                aria-disabled={trial.state.kind === 'running' || refusal !== null}
                aria-describedby={refusal === null ? undefined : refusalId}
                onClick={handleTry}
              />
            ) : (
              <span className="wr-muted">{trial.refusal}</span>
            )}
            <SaveButton isSaving={props.isSaving} reasonId={saveRefusal === null ? undefined : refusalId} />
          </div>
        </footer>
      )}
    </form>
  )
}
