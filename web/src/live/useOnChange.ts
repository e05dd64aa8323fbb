import { useEffect, useEffectEvent, useRef } from 'react'

/** Calls back when one of the values changes, for example the rows of a topic. Not for the initial values. */
export function useOnChange(values: readonly unknown[], onChange: () => void): void {
  const seen = useRef(values)
  const handleChange = useEffectEvent(onChange)
  useEffect(() => {
    if (values.every((value, index) => value === seen.current[index])) return
    seen.current = values
    handleChange()
  })
}
