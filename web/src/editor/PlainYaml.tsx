import { TextArea } from '@blueprintjs/core'

import type { YamlEditorProps } from './contract.ts'

/** The same text without colors and marks: while the editor is loaded, and where it cannot be. */
export function PlainYaml({ value, onChange, readOnly, 'aria-label': label }: YamlEditorProps) {
  return (
    <TextArea
      className="wr-editor-plain wr-mono"
      fill
      aria-label={label}
      value={value}
      readOnly={readOnly === true || onChange === undefined}
      spellCheck={false}
      wrap="off"
      onChange={(event) => onChange?.(event.target.value)}
    />
  )
}
