import { useState } from 'react'

import type { FieldProps } from './Field.tsx'
import type { PickOption } from './PickField.tsx'

interface Picked {
  /** The name of what is chosen is in sight: it is among the options, or was picked from them. */
  readonly isListed: boolean
  readonly onChange: (id: string) => void
}

/** For a field whose value may have been chosen elsewhere. What is picked here the field keeps in sight itself, with its name. */
export function usePicked(
  { value, onChange }: Pick<FieldProps<string>, 'value' | 'onChange'>,
  options: readonly PickOption[],
): Picked {
  const [picked, setPicked] = useState('')
  return {
    isListed: value === '' || value === picked || options.some(({ id }) => id === value),
    onChange: (id) => {
      setPicked(id)
      onChange(id)
    },
  }
}
