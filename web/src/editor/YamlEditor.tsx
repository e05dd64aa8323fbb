import './editor.css'
import { lazy, Suspense, useId } from 'react'

import type { YamlEditorProps } from './contract.ts'
import { PlainYaml } from './PlainYaml.tsx'

const MonacoYaml = lazy(async () => {
  try {
    // Monaco reads its environment while its own modules start.
    await import('./monacoEnvironment.ts')
    return { default: (await import('./MonacoYaml.tsx')).MonacoYaml }
  } catch {
    // Its file is gone, for example after an update of the server: text can be edited without it.
    return { default: PlainYaml }
  }
})

/**
 * A YAML text with line numbers, colors and, given a schema, completion and marks at what does not fit it.
 *
 * Tab indents, as everywhere where code is written; Ctrl+M hands Tab back to the page, and the hint says so.
 */
export function YamlEditor(props: YamlEditorProps) {
  const { size = 'medium', onChange } = props
  const hintId = useId()
  const isEditable = props.readOnly !== true && onChange !== undefined
  return (
    <div className="wr-editor" data-size={size} data-readonly={!isEditable}>
      <div className="wr-editor-frame">
        <Suspense fallback={<PlainYaml {...props} readOnly />}>
          <MonacoYaml {...props} {...(isEditable ? { hintId } : {})} />
        </Suspense>
      </div>
      {isEditable && (
        <p className="wr-editor-hint" id={hintId}>
          Tab indents. To leave the editor with Tab, press <kbd>{TAB_MODE_KEYS}</kbd> first.
        </p>
      )}
    </div>
  )
}

const TAB_MODE_KEYS = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '') ? 'Ctrl+Shift+M' : 'Ctrl+M'
