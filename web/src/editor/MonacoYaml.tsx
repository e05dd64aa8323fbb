import { useEffect, useEffectEvent, useRef } from 'react'

import type { EditorProblem, YamlEditorProps } from './contract.ts'
import { followPageTheme } from './editorTheme.ts'
import { createYamlModel, monaco } from './monaco.ts'
import { applyRenamedStyles } from './styleAttributes.ts'

/** Owner of the markers that come in as `problems`, apart from those of the schema. */
const OWNER = 'watchroom'

interface Mounted {
  editor: monaco.editor.IStandaloneCodeEditor
  model: monaco.editor.ITextModel
}

/** Monaco itself; `YamlEditor` loads it when it is first shown. */
export function MonacoYaml(props: YamlEditorProps & { hintId?: string | undefined }) {
  const { value, schema, problems, reveal, hintId, 'aria-label': label } = props
  const readOnly = props.readOnly === true || props.onChange === undefined
  const container = useRef<HTMLDivElement>(null)
  const mounted = useRef<Mounted>(null)
  /** Texts that were reported and have not come back as `value` yet: someone types faster than the page renders. */
  const underway = useRef<string[]>([])
  const handleChange = useEffectEvent((text: string) => {
    if (!props.onChange) return
    underway.current.push(text)
    props.onChange(text)
  })

  const mount = useEffectEvent((node: HTMLDivElement): Mounted & { close(): void } => {
    // First of all, so that no frame shows letters of one theme on the ground of another.
    const theme = followPageTheme()
    const model = createYamlModel(value, schema)
    model.updateOptions({ tabSize: 2, insertSpaces: true })
    const editor = monaco.editor.create(node, {
      ...OPTIONS,
      model,
      readOnly,
      // Nothing to indent there, so Tab need not stay.
      tabFocusMode: readOnly,
      ariaLabel: label,
      // Inside the editor, where `applyRenamedStyles` sees them, and not cut off at its edge.
      fixedOverflowWidgets: true,
    })
    const styles = applyRenamedStyles(node)
    const changes = model.onDidChangeContent(() => handleChange(model.getValue()))
    return {
      editor,
      model,
      close: () => {
        changes.dispose()
        styles.close()
        theme.close()
        editor.dispose()
        model.dispose()
      },
    }
  })

  useEffect(() => {
    if (!container.current) return
    const parts = mount(container.current)
    mounted.current = parts
    return () => {
      mounted.current = null
      parts.close()
    }
  }, [])

  useEffect(() => {
    const model = mounted.current?.model
    const reported = underway.current.lastIndexOf(value)
    underway.current = reported < 0 ? [] : underway.current.slice(reported + 1)
    if (!model || reported >= 0 || model.getValue() === value) return
    // As an edit, so that undo still reaches what was there.
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text: value }], () => null)
  }, [value])

  useEffect(() => {
    mounted.current?.editor.updateOptions({ readOnly, tabFocusMode: readOnly, ariaLabel: label })
  }, [readOnly, label])

  useEffect(() => {
    const input = container.current?.querySelector('.native-edit-context, textarea.inputarea')
    if (hintId !== undefined) input?.setAttribute('aria-describedby', hintId)
  }, [hintId])

  useEffect(() => {
    const model = mounted.current?.model
    if (model) monaco.editor.setModelMarkers(model, OWNER, (problems ?? []).map(toMarker))
  }, [problems])

  useEffect(() => {
    const editor = mounted.current?.editor
    if (!editor || !reveal) return
    const position = { lineNumber: reveal.line, column: reveal.column }
    editor.setPosition(position)
    editor.revealPositionInCenter(position)
    editor.focus()
  }, [reveal])

  return <div ref={container} className="wr-editor-monaco" />
}

const OPTIONS: monaco.editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  minimap: { enabled: false },
  lineNumbers: 'on',
  lineNumbersMinChars: 3,
  glyphMargin: false,
  fontSize: 13,
  lineHeight: 20,
  padding: { top: 8, bottom: 8 },
  scrollBeyondLastLine: false,
  wordWrap: 'on',
  renderLineHighlight: 'line',
  overviewRulerLanes: 0,
  // The page scrolls on when the text has reached its end.
  scrollbar: { alwaysConsumeMouseWheel: false, useShadows: false },
  wordBasedSuggestions: 'off',
  // A colon would accept whatever is marked while someone types a key.
  acceptSuggestionOnCommitCharacter: false,
  quickSuggestions: { strings: true, other: true, comments: false },
  // Its style sheet would be inside a shadow root, where ours do not reach.
  useShadowDOM: false,
  stickyScroll: { enabled: false },
  'semanticHighlighting.enabled': false,
}

function toMarker(problem: EditorProblem): monaco.editor.IMarkerData {
  return {
    severity: monaco.MarkerSeverity.Error,
    message: problem.message,
    startLineNumber: problem.line,
    startColumn: problem.column,
    endLineNumber: problem.endLine,
    endColumn: problem.endColumn,
  }
}
