import type { FieldProps } from './Field.tsx'
import { TextField } from './TextField.tsx'
import { toText } from './toText.ts'
import { useOwnText } from './useOwnText.ts'

interface LinesFieldProps extends Omit<FieldProps<unknown>, 'onChange'> {
  placeholder?: string | undefined
  /** Undefined: there is no line. */
  onChange: (lines: readonly string[] | undefined) => void
}

/** A list of texts, one per line. A single text counts as a list of one. */
export function LinesField({ value, onChange, ...field }: LinesFieldProps) {
  const lines = Array.isArray(value) ? value.map(toText).join('\n') : toText(value)
  const [text, setText] = useOwnText(lines, (shown) => JSON.stringify(parse(shown)))
  return (
    <TextField
      {...field}
      isMultiline
      value={text}
      onChange={(next) => {
        setText(next)
        const parsed = parse(next)
        onChange(parsed.length === 0 ? undefined : parsed)
      }}
    />
  )
}

const parse = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')
