import { useEffect, useEffectEvent, useRef } from 'react'

/** Calls when one of the values is another one than before, for example the rows of a topic: not for the first ones. */
export function useOnChange(values: readonly unknown[], onChange: () => void): void {
  const seen = useRef(values)
  const handleChange = useEffectEvent(onChange)
  useEffect(() => {
    if (values.every((value, index) => value === seen.current[index])) return
    seen.current = values
    handleChange()
  })
}
