import { HTMLSelect, TextArea } from '@blueprintjs/core'
import { TEMPLATE_KINDS } from '@watchroom/shared/health/check-types'
import { useState } from 'react'

import { LANGUAGES, type WrittenTemplate } from '../spec/template.ts'
import type { ControlProps } from './FieldFrame.tsx'

interface TemplateInputProps extends ControlProps {
  template: WrittenTemplate
  onChange: (value: unknown) => void
}

/** A text in a language of one's choice. */
export function TemplateInput({ id, label, template, isReadOnly, described, onChange }: TemplateInputProps) {
  const { kind, text } = template
  /** Typed before `None` was chosen, in case somebody comes back. */
  const [kept, setKept] = useState('')
  const changeKind = (chosen: string): void => {
    if (kind !== null) setKept(text)
    onChange(chosen === '' ? undefined : { [chosen]: kind === null ? kept : text })
  }
  return (
    <div className="canary-template">
      <HTMLSelect
        {...(kind === null ? { id, ...described } : { 'aria-label': `${label}, language` })}
        value={kind ?? ''}
        disabled={isReadOnly}
        onChange={(event) => changeKind(event.currentTarget.value)}
      >
        <option value="">None</option>
        {TEMPLATE_KINDS.map((language) => (
          <option key={language} value={language}>
            {LANGUAGES[language]}
          </option>
        ))}
      </HTMLSelect>
      {kind === null ? null : (
        <TextArea
          fill
          autoResize
          id={id}
          {...described}
          className="canary-code wr-mono"
          spellCheck={false}
          readOnly={isReadOnly}
          value={text}
          onChange={(event) => onChange({ [kind]: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
