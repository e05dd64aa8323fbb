import { useState } from 'react'

import type { FieldProps } from './Field.tsx'
import type { PickOption } from './PickField.tsx'

interface Picked {
  /** The name of what is chosen is in sight: it is among the options, or was picked from them. */
  readonly isListed: boolean
  /** Props for `PickField`. @param chosen what is chosen, for as long as it is not listed */
  readonly bind: (chosen: Partial<PickOption> & Pick<PickOption, 'label'>) => {
    readonly onChange: (id: string) => void
    readonly options: readonly PickOption[]
  }
}

/** For a field whose value may have been chosen elsewhere. What is picked here the field keeps in sight itself, with its name. */
export function usePicked(
  { value, onChange }: Pick<FieldProps<string>, 'value' | 'onChange'>,
  found: readonly PickOption[],
): Picked {
  const [picked, setPicked] = useState('')
  const isListed = value === '' || value === picked || found.some(({ id }) => id === value)
  return {
    isListed,
    bind: (chosen) => ({
      onChange: (id) => {
        setPicked(id)
        onChange(id)
      },
      options: isListed ? found : [{ id: value, detail: 'Chosen', ...chosen }, ...found],
    }),
  }
}
