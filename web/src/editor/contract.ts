/** A JSON Schema as a plain object; the worker that reads it gets a copy. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Heights from the specification; `full` takes what its container has. */
export const EDITOR_SIZES = ['very-small', 'small', 'medium', 'large', 'full'] as const
export type EditorSize = (typeof EDITOR_SIZES)[number]

/** A place that someone wants to see, counted from 1 as people do. */
export interface EditorPlace {
  line: number
  column: number
}

/** Something wrong at a place. */
export interface EditorProblem extends EditorPlace {
  endLine: number
  endColumn: number
  message: string
}

export interface YamlEditorProps {
  value: string
  /** Absent: nothing can be changed, as with `readOnly`. */
  onChange?: (value: string) => void
  readOnly?: boolean
  /** Marks what does not fit it, completes keys and explains them. Read when the editor is mounted. */
  schema?: JsonSchema
  size?: EditorSize
  /** Marked beside what the schema finds: what only the server or a rule over several fields knows. */
  problems?: readonly EditorProblem[]
  /** Moves the cursor there and focuses the editor, once per object. */
  reveal?: EditorPlace | undefined
  'aria-label': string
}
