import { InputGroup, TextArea } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type * as Y from 'yjs'

export interface CollabTextProps {
  /** From `edit.incidentText`, `edit.hypothesisTitle` or `edit.commentBody`. */
  readonly text: Y.Text
  /** Path of the text, for example `hypotheses/<id>/title`. */
  readonly field: string
  readonly 'aria-label': string
  readonly disabled?: boolean
  readonly placeholder?: string
  /** Default: the document's limit for this field. */
  readonly maxLength?: number
  /** The text was left (blur or Enter) after it was changed. */
  readonly onCommit?: (value: string) => void
}

export function CollabText({ text, field, ...rest }: CollabTextProps): ReactNode {
  return <InputGroup {...rest} name={field} value={text.toJSON()} readOnly />
}

export function CollabTextArea({ text, field, ...rest }: CollabTextProps): ReactNode {
  return <TextArea {...rest} name={field} value={text.toJSON()} readOnly />
}
